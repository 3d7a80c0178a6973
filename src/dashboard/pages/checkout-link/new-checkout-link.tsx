import { NumberInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { Form, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import { Muted } from '../../components/muted.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { parseFieldTime } from '../../format/moment.ts';
import { type FieldErrors, userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { initialChoices, readCustomAmountTerms, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFieldPaths } from '../checkout-terms/terms-fields.tsx';
import { usePriceChoices } from '../currency-select.tsx';
import { checkoutLinkRowFields } from './checkout-link-row.ts';
import { ShareContent } from './share-dialog.tsx';

const fieldPaths = [...termsFieldPaths, 'customAmount', 'name', 'expiresAt', 'usageLimit'];

export function NewCheckoutLink(props: { opened: boolean; onClose: () => void; onCreated: () => void }) {
  return (
    <CreateDialog<string>
      {...props}
      title={t.checkoutLink.newCheckoutLink}
      createdTitle={t.checkoutLink.theLinkIsReady}
      size="lg"
      form={(onCreated) => <CheckoutLinkForm onCreated={onCreated} />}
    >
      {(id) => <ShareContent id={id} />}
    </CreateDialog>
  );
}

/** A link for one customer can be paid once, so that its URL does not accept the same payment again. */
type Usage = 'one' | 'many';

function CheckoutLinkForm({ onCreated }: { onCreated: (id: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [choices, updateChoices] = usePriceChoices(initialChoices);
  const [isCustomAmount, setIsCustomAmount] = useState(false);
  const [chosenUsage, setUsage] = useState<Usage>();
  const [hasLimit, setHasLimit] = useState(false);
  const usage = chosenUsage ?? (isCustomAmount ? 'many' : 'one');
  const isAtCounter = usage === 'many' && !isCustomAmount && !hasLimit;
  const formState = useFormState(fieldPaths);

  const submit = async (form: FormData) => {
    const terms = formState.read(() =>
      isCustomAmount ? readCustomAmountTerms(form, choices) : readTerms(form, choices),
    );
    if (!terms) return;
    const { methods } = choices;
    const usageLimit = usage === 'one' ? 1 : getNumber(form, 'usageLimit');
    const [name, expiresAt] = [getText(form, 'name'), getText(form, 'expiresAt')];
    const response = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { methods }),
        ...(name && { name }),
        ...(expiresAt && { expiresAt: parseFieldTime(expiresAt)?.toISOString() ?? null }),
        ...(usageLimit !== null && { usageLimit }),
      },
    });
    formState.handleResult(response);
    const result = response.data?.createCheckoutLink;
    if (result?.__typename === 'CreateCheckoutLinkSuccess') onCreated(result.checkoutLink.id);
  };

  return (
    <Form state={formState} onSubmit={submit}>
      <Switch
        label={t.checkoutLink.customersChooseTheAmount}
        mt={4}
        checked={isCustomAmount}
        onChange={(event) => setIsCustomAmount(event.currentTarget.checked)}
      />
      <Radio.Group
        label={t.checkoutLink.whoCanPay}
        value={usage}
        onChange={(value) => {
          setUsage(value as Usage);
          setHasLimit(false);
        }}
      >
        <Stack gap="xs" mt={6}>
          <Radio
            value="one"
            label={t.checkoutLink.oneCustomer}
            description={t.checkoutLink.oneCustomerHint}
          />
          <Radio
            value="many"
            label={t.checkoutLink.manyCustomers}
            description={t.checkoutLink.manyCustomersHint}
          />
        </Stack>
      </Radio.Group>
      <TextInput
        label={t.common.name}
        description={isAtCounter ? t.checkoutLink.shownToYourTeam : t.checkoutLink.shownInLists}
        name="name"
        maxLength={100}
        error={formState.fieldErrors.name}
      />
      <TermsFields
        choices={choices}
        onChange={updateChoices}
        fieldErrors={formState.fieldErrors}
        hasCustomer={usage === 'one'}
        {...(isCustomAmount && { amountFields: <AmountLimits fieldErrors={formState.fieldErrors} /> })}
      >
        <TextInput
          label={t.common.expires}
          description={t.checkoutLink.customersCantPayBy}
          name="expiresAt"
          type="datetime-local"
          error={formState.fieldErrors.expiresAt}
        />
        {usage === 'many' && (
          <NumberInput
            label={t.checkoutLink.maximumPayments}
            description={t.checkoutLink.countsOpenAndPaid}
            name="usageLimit"
            onChange={(limit) => setHasLimit(limit !== '')}
            min={2}
            max={1_000_000}
            allowDecimal={false}
            error={formState.fieldErrors.usageLimit}
          />
        )}
      </TermsFields>
      <SubmitButton isBusy={fetching} aside={<Muted>{t.checkoutLink.youCanDeactivateIt}</Muted>}>
        {t.checkoutLink.createLink}
      </SubmitButton>
    </Form>
  );
}

function AmountLimits({ fieldErrors }: { fieldErrors: FieldErrors }) {
  return (
    <>
      <TextInput
        label={t.checkoutLink.minimum}
        name="customAmount.min"
        inputMode="decimal"
        placeholder={t.common.none}
        error={fieldErrors['customAmount/min']}
      />
      <TextInput
        label={t.checkoutLink.maximum}
        name="customAmount.max"
        inputMode="decimal"
        placeholder={t.common.none}
        error={fieldErrors['customAmount/max']}
      />
    </>
  );
}

const createCheckoutLinkMutation = graphql(
  `
    mutation CreateCheckoutLink($input: CreateCheckoutLinkInput!) {
      createCheckoutLink(input: $input) {
        __typename
        ... on CreateCheckoutLinkSuccess {
          checkoutLink {
            ...CheckoutLinkRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [checkoutLinkRowFields, userErrorFields],
);
