import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getAmount, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import { TimeZoneSelect } from '../../components/time-zone-select.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { toFieldAmount } from '../../format/amount.ts';
import { LimitFields, limitFieldPaths, readLimits } from './limit-fields.tsx';
import { type ReceivingAccountDetails, updateAccountMutation } from './receiving-accounts-query.ts';

/** The fields that show their own error. */
const fieldPaths = [
  'accountName',
  'bank',
  ...limitFieldPaths,
  'maxAmountOffset',
  'maxBankFee',
  'maxBankFeeRate',
  'timeZone',
];

type EditAccountDialogProps = {
  opened: boolean;
  account: ReceivingAccountDetails;
  onClose: () => void;
  onSaved: () => void;
};

/** Edits an account. Its number cannot be changed. */
export function EditAccountDialog({ opened, account, onClose, onSaved }: EditAccountDialogProps) {
  const handleSaved = () => {
    onSaved();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit account" size="lg">
      <EditAccountForm account={account} onSaved={handleSaved} />
    </Dialog>
  );
}

function EditAccountForm({ account, onSaved }: { account: ReceivingAccountDetails; onSaved: () => void }) {
  const [{ fetching }, update] = useMutation(updateAccountMutation);
  const [timeZone, setTimeZone] = useState(account.timeZone);
  const formState = useFormState(fieldPaths);
  const { fieldErrors } = formState;
  const { getChanges } = useChanges(formState.formRef, (form) => ({
    accountName: getText(form, 'accountName'),
    bank: getText(form, 'bank'),
    timeZone,
    ...readLimits(form, account.currency),
    maxBankFee: getText(form, 'maxBankFee') === '' ? null : getAmount(form, 'maxBankFee', account.currency),
    maxBankFeeRate: getText(form, 'maxBankFeeRate') || null,
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
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Holder"
          name="accountName"
          defaultValue={account.accountName}
          error={fieldErrors.accountName}
          data-autofocus
        />
        <TextInput label="Bank or wallet" name="bank" defaultValue={account.bank} error={fieldErrors.bank} />
      </SimpleGrid>
      <LimitFields currency={account.currency} limits={account} fieldErrors={fieldErrors} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={`Maximum bank fee (${account.currency})`}
          description="A charge still completes if banks deduct up to this amount. Leave empty to turn off."
          name="maxBankFee"
          inputMode="decimal"
          defaultValue={
            account.maxBankFee === null ? '' : toFieldAmount(account.maxBankFee, account.currency)
          }
          error={fieldErrors.maxBankFee}
        />
        <TextInput
          label="Maximum bank fee rate"
          description="As a fraction of the amount, such as 0.015 for 1.5 %"
          name="maxBankFeeRate"
          inputMode="decimal"
          defaultValue={account.maxBankFeeRate ?? ''}
          error={fieldErrors.maxBankFeeRate}
        />
      </SimpleGrid>
      <Checkbox
        label="The bank reuses its references"
        description="Turn this on before the first import if the bank’s statements show one reference for several payments."
        name="reusesBankReferences"
        defaultChecked={account.reusesBankReferences}
      />
      {!account.canCarryReference && (
        <NumberInput
          label="Unique amounts"
          description={`Payments carry no reference. Add up to this many whole ${account.currency} to make amounts unique. Leave empty to turn off.`}
          name="maxAmountOffset"
          min={1}
          max={999}
          placeholder="Off"
          defaultValue={account.maxAmountOffset ?? ''}
          error={fieldErrors.maxAmountOffset}
        />
      )}
      <TimeZoneSelect
        description="Used for transfers that carry only a date"
        zone={timeZone}
        onChoose={setTimeZone}
        error={fieldErrors.timeZone}
        isInDialog
      />
      <SubmitButton isBusy={fetching}>Save</SubmitButton>
    </Form>
  );
}
