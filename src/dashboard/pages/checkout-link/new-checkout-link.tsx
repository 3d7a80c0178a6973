import { NumberInput, Switch, TextInput } from '@mantine/core';
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

function CheckoutLinkForm({ onCreated }: { onCreated: (id: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [choices, updateChoices] = usePriceChoices(initialChoices);
  const [isCustomAmount, setIsCustomAmount] = useState(false);
  const formState = useFormState(fieldPaths);

  const submit = async (form: FormData) => {
    const terms = formState.read(() =>
      isCustomAmount ? readCustomAmountTerms(form, choices) : readTerms(form, choices),
    );
    if (!terms) return;
    const { methods } = choices;
    const usageLimit = getNumber(form, 'usageLimit');
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
      <TextInput
        label={t.common.name}
        description={t.checkoutLink.shownToYourTeam}
        name="name"
        maxLength={100}
        error={formState.fieldErrors.name}
      />
      <TermsFields
        choices={choices}
        onChange={updateChoices}
        fieldErrors={formState.fieldErrors}
        {...(isCustomAmount && { amountFields: <AmountLimits fieldErrors={formState.fieldErrors} /> })}
      >
        <TextInput
          label={t.common.expires}
          description={t.checkoutLink.customersCantPayBy}
          name="expiresAt"
          type="datetime-local"
          error={formState.fieldErrors.expiresAt}
        />
        <NumberInput
          label={t.checkoutLink.maximumPayments}
          description={t.checkoutLink.countsOpenAndPaid}
          name="usageLimit"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          error={formState.fieldErrors.usageLimit}
        />
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
        name="minimum"
        inputMode="decimal"
        placeholder={t.common.none}
        error={fieldErrors['customAmount/minimum']}
      />
      <TextInput
        label={t.checkoutLink.maximum}
        name="maximum"
        inputMode="decimal"
        placeholder={t.common.none}
        error={fieldErrors['customAmount/maximum']}
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
