import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { getBankLabel, isAlias, schemesByCountry } from './payout-forms.ts';
import { type RefundDetails, submitRefundDetailsMutation } from './refund-query.ts';
import { schemeNames } from './scheme-names.ts';

type PayerAccount = NonNullable<RefundDetails['payerAccounts']>[number];

/** A button with which the merchant enters the bank details for the customer, such as those of the payer's account. */
export function EnterDetailsButton(props: {
  refund: RefundDetails;
  label: string;
  payer?: PayerAccount;
  onChanged: () => void;
}) {
  const { refund, label, payer, onChanged } = props;
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={dialog.open}>
        {label}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title="Enter bank details">
        <DetailsForm
          refund={refund}
          payer={payer}
          onSaved={() => {
            dialog.close();
            onChanged();
          }}
        />
      </Dialog>
    </>
  );
}

const accountDestination = 'account';

function DetailsForm(props: { refund: RefundDetails; payer: PayerAccount | undefined; onSaved: () => void }) {
  const { refund, payer, onSaved } = props;
  const country = refund.payoutCountry ?? '';
  const countryScheme = schemesByCountry[country];
  const [{ fetching }, submit] = useMutation(submitRefundDetailsMutation);
  const formState = useFormState(['bank', 'account', 'accountName']);
  const [destination, setDestination] = useState<string>(
    countryScheme && payer && isAlias(payer.account) ? countryScheme : accountDestination,
  );
  const scheme = destination === accountDestination ? undefined : countryScheme;
  const bankLabel = scheme ? null : getBankLabel(country);
  const save = async (form: FormData) => {
    const input = {
      id: refund.id,
      account: getText(form, 'account'),
      accountName: getText(form, 'holder'),
      ...(bankLabel !== null && { bank: getText(form, 'bank') }),
      ...(scheme && { scheme }),
    };
    if (formState.handleResult(await submit({ input }))) onSaved();
  };
  return (
    <Form state={formState} onSubmit={save}>
      <Text size="sm">
        {payer
          ? 'The customer paid from this account. Confirm with the customer that it can receive the refund.'
          : 'For a customer who gave you the details in another way. The customer’s link then stops asking for them.'}
      </Text>
      {countryScheme && (
        <SegmentedControl
          data={[
            { value: accountDestination, label: 'Bank account' },
            { value: countryScheme, label: schemeNames[countryScheme] },
          ]}
          value={destination}
          onChange={setDestination}
          aria-label="Send to"
        />
      )}
      {bankLabel !== null && (
        <TextInput label={bankLabel} name="bank" error={formState.fieldErrors.bank} maxLength={140} />
      )}
      <TextInput
        label={scheme ? `${schemeNames[scheme]} ID` : 'Account number'}
        name="account"
        defaultValue={payer?.account}
        error={formState.fieldErrors.account}
        maxLength={140}
        data-autofocus
      />
      <TextInput
        label="Account holder"
        name="holder"
        defaultValue={payer?.name ?? ''}
        error={formState.fieldErrors.holder ?? formState.fieldErrors.accountName}
        maxLength={140}
      />
      <SubmitButton isBusy={fetching}>Save details</SubmitButton>
    </Form>
  );
}
