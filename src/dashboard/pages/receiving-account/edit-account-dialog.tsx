import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getAmount, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import { Muted } from '../../components/muted.tsx';
import { TimeZoneSelect } from '../../components/time-zone-select.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { toFieldAmount } from '../../format/amount.ts';
import { fractionToPercent, percentToFraction } from '../../format/fraction.ts';
import { t } from '../../language/texts.ts';
import { LimitFields, limitFieldPaths, readLimits } from './limit-fields.tsx';
import { type ReceivingAccountDetails, updateAccountMutation } from './receiving-accounts-query.ts';
import { SameBankAccountSelect } from './same-bank-account-select.tsx';

/** The fields that show their own error. */
const fieldPaths = [
  'accountName',
  'bank',
  ...limitFieldPaths,
  'maxAmountOffset',
  'maxBankFee',
  'maxBankFeeRate',
  'timeZone',
  'sameBankAccountAs',
];

type EditAccountDialogProps = {
  opened: boolean;
  account: ReceivingAccountDetails;
  onClose: () => void;
  onSaved: () => void;
};

/** The account number cannot be changed. */
export function EditAccountDialog({ opened, account, onClose, onSaved }: EditAccountDialogProps) {
  const handleSaved = () => {
    onSaved();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t.receivingAccount.editAccount} size="lg">
      <EditAccountForm account={account} onSaved={handleSaved} />
    </Dialog>
  );
}

function EditAccountForm({ account, onSaved }: { account: ReceivingAccountDetails; onSaved: () => void }) {
  const [{ fetching }, update] = useMutation(updateAccountMutation);
  const [timeZone, setTimeZone] = useState(account.timeZone);
  const [sameBankAccountAs, setSameBankAccountAs] = useState(account.sameBankAccounts[0]?.id ?? null);
  const formState = useFormState(fieldPaths);
  const { fieldErrors } = formState;
  const { getChanges } = useChanges(formState.formRef, (form) => ({
    accountName: getText(form, 'accountName'),
    bank: getText(form, 'bank'),
    timeZone,
    sameBankAccountAs,
    ...readLimits(form, account.currency),
    maxBankFee: getText(form, 'maxBankFee') === '' ? null : getAmount(form, 'maxBankFee', account.currency),
    maxBankFeeRate: percentToFraction(getText(form, 'maxBankFeeRate')) || null,
    reusesBankReferences: form.has('reusesBankReferences'),
    ...(!account.canCarryReference && { maxAmountOffset: getNumber(form, 'maxAmountOffset') }),
  }));
  const submit = async (form: FormData) => {
    const changes = formState.read(() => getChanges(form));
    if (!changes) return;
    if (formState.handleResult(await update({ input: { id: account.id, ...changes } }))) onSaved();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Muted>{fillText(t.receivingAccount.theNumberCannotBeChanged, { account: account.account })}</Muted>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t.receivingAccount.holder}
          name="accountName"
          defaultValue={account.accountName}
          error={fieldErrors.accountName}
          data-autofocus
        />
        <TextInput
          label={t.receivingAccount.bankOrWallet}
          name="bank"
          defaultValue={account.bank}
          error={fieldErrors.bank}
        />
      </SimpleGrid>
      <SameBankAccountSelect
        currency={account.currency}
        ownId={account.id}
        value={sameBankAccountAs}
        onChange={setSameBankAccountAs}
        error={fieldErrors.sameBankAccountAs}
      />
      <LimitFields currency={account.currency} limits={account} fieldErrors={fieldErrors} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={fillText(t.receivingAccount.maximumBankFee, { currency: account.currency })}
          description={t.receivingAccount.aChargeStillCompletes}
          name="maxBankFee"
          inputMode="decimal"
          defaultValue={
            account.maxBankFee === null ? '' : toFieldAmount(account.maxBankFee, account.currency)
          }
          error={fieldErrors.maxBankFee}
        />
        <TextInput
          label={t.receivingAccount.maximumBankFeeRate}
          description={t.receivingAccount.inPercentSuchAs}
          name="maxBankFeeRate"
          inputMode="decimal"
          defaultValue={account.maxBankFeeRate === null ? '' : fractionToPercent(account.maxBankFeeRate)}
          error={fieldErrors.maxBankFeeRate}
        />
      </SimpleGrid>
      <Checkbox
        label={t.receivingAccount.theBankReusesIts}
        description={t.receivingAccount.turnThisOnBefore}
        name="reusesBankReferences"
        defaultChecked={account.reusesBankReferences}
      />
      {!account.canCarryReference && (
        <NumberInput
          label={t.receivingAccount.uniqueAmounts}
          description={fillText(t.receivingAccount.paymentsCarryNoReference, { currency: account.currency })}
          name="maxAmountOffset"
          min={1}
          max={999}
          placeholder={t.common.off}
          defaultValue={account.maxAmountOffset ?? ''}
          error={fieldErrors.maxAmountOffset}
        />
      )}
      <TimeZoneSelect
        description={t.receivingAccount.usedForTransfersThat}
        zone={timeZone}
        onChoose={setTimeZone}
        error={fieldErrors.timeZone}
        isInDialog
      />
      <SubmitButton isBusy={fetching}>{t.common.save}</SubmitButton>
    </Form>
  );
}
