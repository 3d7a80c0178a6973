import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import {
  getBankLabel,
  isAlias,
  isUsuallyAlias,
  schemesByCountry,
  splitPayerAccount,
} from './payout-forms.ts';
import { type RefundDetails, submitRefundDetailsMutation } from './refund-query.ts';
import { aliasHints, schemeNames } from './scheme-names.ts';

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
      <Dialog opened={opened} onClose={dialog.close} title={t.refund.enterBankDetails}>
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
    countryScheme && (payer ? isAlias(payer.account) : isUsuallyAlias(refund.method))
      ? countryScheme
      : accountDestination,
  );
  const scheme = destination === accountDestination ? undefined : countryScheme;
  const bankLabel = scheme ? null : getBankLabel(country);
  const paidFrom = payer && splitPayerAccount(country, payer.account);
  const save = async (form: FormData) => {
    const input = {
      id: refund.id,
      account: getText(form, 'account'),
      accountName: getText(form, 'accountName'),
      ...(bankLabel !== null && { bank: getText(form, 'bank') }),
      ...(scheme && { scheme }),
    };
    if (formState.handleResult(await submit({ input }))) onSaved();
  };
  return (
    <Form state={formState} onSubmit={save}>
      <Text size="sm">{payer ? t.refund.theCustomerPaidFrom : t.refund.forACustomerWho}</Text>
      {countryScheme && (
        <SegmentedControl
          data={[
            { value: accountDestination, label: t.refund.bankAccount },
            { value: countryScheme, label: schemeNames[countryScheme] },
          ]}
          value={destination}
          onChange={setDestination}
          aria-label={t.refund.sendTo}
        />
      )}
      {bankLabel !== null && (
        <TextInput
          label={bankLabel}
          name="bank"
          defaultValue={paidFrom?.bank}
          error={formState.fieldErrors.bank}
          maxLength={140}
        />
      )}
      <TextInput
        label={scheme ? fillText(t.refund.id, { scheme: schemeNames[scheme] }) : t.refund.accountNumber}
        description={scheme && aliasHints[scheme]}
        name="account"
        defaultValue={paidFrom?.number}
        error={formState.fieldErrors.account}
        maxLength={140}
        data-autofocus
      />
      <TextInput
        label={t.refund.accountHolder}
        name="accountName"
        defaultValue={payer?.name ?? ''}
        error={formState.fieldErrors.accountName}
        maxLength={140}
      />
      <SubmitButton isBusy={fetching}>{t.refund.saveDetails}</SubmitButton>
    </Form>
  );
}
