import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../components/dialog.tsx';
import { Form, numberOf, Submit, textOf } from '../../components/form.tsx';
import { TimeZoneChoice } from '../../components/time-zone-choice.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { LimitFields, limitFields, readLimits } from './limit-fields.tsx';
import { type AccountDetails, updateAccountMutation } from './receiving-accounts-query.ts';

/** Those that show what is wrong with them. */
const fields = ['holder', 'bank', ...limitFields, 'uniqueAmountsMax', 'timeZone'];

type Props = { opened: boolean; account: AccountDetails; onClose: () => void; onSaved: () => void };

/** The dialog that changes what may be changed of an account; its number may not. */
export function ChangeTerms({ opened, account, onClose, onSaved }: Props) {
  const saved = () => {
    onSaved();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit account" size="lg">
      <TermsForm account={account} onSaved={saved} />
    </Dialog>
  );
}

function TermsForm({ account, onSaved }: { account: AccountDetails; onSaved: () => void }) {
  const [{ fetching }, update] = useMutation(updateAccountMutation);
  const [timeZone, setTimeZone] = useState(account.timeZone);
  const outcome = useOutcome(fields);
  const { faults } = outcome;
  const { changesIn } = useChanges(outcome.form, (form) => ({
    holder: textOf(form, 'holder'),
    bank: textOf(form, 'bank'),
    timeZone,
    ...readLimits(form, account.currency),
    ...(!account.carriesReference && { uniqueAmountsMax: numberOf(form, 'uniqueAmountsMax') }),
  }));
  const submit = async (form: FormData) => {
    const changes = outcome.read(() => changesIn(form));
    if (!changes) return;
    if (outcome.take(await update({ input: { id: account.id, ...changes } }))) onSaved();
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Holder"
          name="holder"
          defaultValue={account.holder}
          error={faults.holder}
          data-autofocus
        />
        <TextInput label="Bank or wallet" name="bank" defaultValue={account.bank} error={faults.bank} />
      </SimpleGrid>
      <LimitFields currency={account.currency} limits={account} faults={faults} />
      {!account.carriesReference && (
        <NumberInput
          label="Unique amounts"
          description={`Payments carry no reference. Add up to this many whole ${account.currency} to make amounts unique. Leave empty to turn off.`}
          name="uniqueAmountsMax"
          min={1}
          max={999}
          placeholder="Off"
          defaultValue={account.uniqueAmountsMax ?? ''}
          error={faults.uniqueAmountsMax}
        />
      )}
      <TimeZoneChoice
        description="Used for transfers that carry only a date"
        zone={timeZone}
        onChoose={setTimeZone}
        fault={faults.timeZone}
        isInDialog
      />
      <Submit isBusy={fetching}>Save</Submit>
    </Form>
  );
}
