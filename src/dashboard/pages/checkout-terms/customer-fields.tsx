import { Fieldset, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { orderNameFields } from '../../../language/format-name.ts';
import { paymentMethods } from '../../../method/catalog.ts';
import { getText } from '../../components/form.tsx';
import { type FieldErrors, findFieldError } from '../../graphql/errors.ts';
import { language, t } from '../../language/texts.ts';
import { useMerchantCountry } from '../payment-methods.ts';

/** The customer details with which a page prefills its form. */
export function CustomerFields(props: {
  fieldErrors: FieldErrors;
  description?: string;
  hasAutofocus?: boolean;
}) {
  const { fieldErrors, description, hasAutofocus } = props;
  const callingCode = findCallingCode(useMerchantCountry());
  return (
    <Fieldset legend={t.checkoutTerms.prefillCustomerDetails} variant="unstyled">
      {description !== undefined && (
        <Text size="xs" c="var(--causeway-muted)">
          {description}
        </Text>
      )}
      <SimpleGrid mt="xs" cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        {orderNameFields(language).map((name, index) => (
          <TextInput
            key={name}
            label={t.checkoutTerms[name]}
            name={`customer.${name}`}
            maxLength={100}
            error={fieldErrors[`customer/${name}`]}
            data-autofocus={(hasAutofocus && index === 0) || undefined}
          />
        ))}
        <TextInput
          label={t.common.email}
          name="customer.email"
          type="email"
          error={fieldErrors['customer/email']}
        />
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            label={t.checkoutTerms.code}
            name="customer.phone.code"
            inputMode="tel"
            {...(callingCode !== undefined && { placeholder: callingCode })}
            maxLength={5}
            w="5rem"
            error={findFieldError(fieldErrors, 'customer/phone') !== undefined}
          />
          <TextInput
            label={t.common.phone}
            name="customer.phone"
            type="tel"
            flex={1}
            error={findFieldError(fieldErrors, 'customer/phone') && t.checkoutTerms.enterAValidPhone}
          />
        </Group>
      </SimpleGrid>
    </Fieldset>
  );
}

function findCallingCode(country: string | undefined): string | undefined {
  return Object.values(paymentMethods).find((method) => method.country === country)?.callingCode;
}

/** Returns the filled-in customer details, or undefined if there are none. */
export function readCustomer(form: FormData) {
  const read = (name: string) => getText(form, `customer.${name}`);
  const [email, firstName, lastName] = [read('email'), read('firstName'), read('lastName')];
  const [code, phone] = [read('phone.code'), read('phone')];
  const customer = {
    ...(email && { email }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
    // Ignores a calling code without a number, because it may be preselected.
    ...(phone && { phone: { code, phone } }),
  };
  return Object.keys(customer).length > 0 ? customer : undefined;
}
