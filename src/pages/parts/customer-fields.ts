import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { parseCustomerField } from '../../domain/payments/customer/customer-input.ts';
import { formatPhone } from '../../kit/contact.ts';
import { DomainError } from '../../kit/errors.ts';
import { orderNameFields } from '../../language/format-name.ts';
import type { Html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { CustomerField, MethodFormState, PaymentOffer } from './offer.ts';
import { type TextField, textField } from './text-field.ts';

type CustomerForm = Pick<PaymentOffer, 'prefill' | 'isEmailRequired'>;

/**
 * Returns the email field, the name fields if an email address is optional, and the fields that the merchant has
 * prefilled, so that the customer can change or clear them, in the order of the form.
 */
function getVisibleFields(
  { code }: Pick<PageI18n, 'code'>,
  { prefill, isEmailRequired }: CustomerForm,
): CustomerField[] {
  const nameFields = orderNameFields(code);
  const shownFields: CustomerField[] = isEmailRequired ? ['email'] : [...nameFields, 'email'];
  const allFields: CustomerField[] = [...nameFields, 'email', 'phone'];
  return allFields.filter((name) => shownFields.includes(name) || prefill?.[name] !== undefined);
}

/** Renders the contact fields. `emailHint` explains additional uses of the email address. */
export function customerFields(
  i18n: PageI18n,
  customerForm: CustomerForm,
  formState: MethodFormState | undefined,
  emailHint = i18n.strings.choose.emailHint,
): Html[] {
  const { choose } = i18n.strings;
  const { prefill, isEmailRequired } = customerForm;
  const fieldOptions = {
    firstName: { label: choose.firstName, maxLength: 100, autocomplete: 'given-name', isOptional: true },
    lastName: { label: choose.lastName, maxLength: 100, autocomplete: 'family-name', isOptional: true },
    email: {
      label: isEmailRequired ? choose.email : choose.emailOptional,
      hint: emailHint,
      maxLength: 254,
      autocomplete: 'email',
      isOptional: !isEmailRequired,
      ...({ type: 'email', inputMode: 'email' } as const),
    },
    phone: {
      ...{
        label: choose.phone,
        hint: choose.phoneHint,
        maxLength: 40,
        autocomplete: 'tel',
        isOptional: true,
      },
      ...({ type: 'tel', inputMode: 'tel' } as const),
    },
  } satisfies Record<CustomerField, Omit<TextField, 'name' | 'value'>>;
  return getVisibleFields(i18n, customerForm).map((name, index) =>
    textField({
      ...(index === 0 && !isEmailRequired && { hint: choose.nameOrEmailHint }),
      ...fieldOptions[name],
      name,
      error: formState?.errors[name],
      value: formState?.customer[name] ?? getPrefilledValue(prefill, name),
    }),
  );
}

function getPrefilledValue(prefill: CustomerDetails | null, name: CustomerField): string {
  const text = prefill?.[name] ?? '';
  return name === 'phone' && text !== '' ? formatPhone(text) : text;
}

type CustomerFormResult = {
  /** The submitted texts of the visible fields, from which a rejected form is shown again. */
  values: CustomerDetails;
  /** The parsed values. A cleared optional field is omitted. */
  details: CustomerDetails;
  errors: Partial<Record<CustomerField, string>>;
};

/** Reads the fields that `customerFields` renders. */
export function readCustomerFields(
  i18n: PageI18n,
  customerForm: CustomerForm,
  form: Record<string, string>,
): CustomerFormResult {
  const { choose } = i18n.strings;
  const result: CustomerFormResult = { values: {}, details: {}, errors: {} };
  const invalidMessages = {
    firstName: choose.nameInvalid,
    lastName: choose.nameInvalid,
    email: choose.emailInvalid,
    phone: choose.phoneInvalid,
  };
  const visibleFields = getVisibleFields(i18n, customerForm);
  for (const name of visibleFields) {
    const text = (form[name] ?? '').trim();
    result.values[name] = text;
    if (text === '') {
      if (name === 'email' && customerForm.isEmailRequired) result.errors.email = choose.emailMissing;
      continue;
    }
    try {
      result.details[name] = parseCustomerField(name, text);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      result.errors[name] = invalidMessages[name];
    }
  }
  const [firstField] = visibleFields;
  if (firstField && visibleFields.every((name) => result.values[name] === ''))
    result.errors[firstField] ??= choose.nameOrEmailMissing;
  return result;
}
