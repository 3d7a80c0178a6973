import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { today } from '../../format/days.ts';
import { shownTimeZone } from '../../format/moment.ts';
import { randomKey } from '../../graphql/random-key.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { amountOf, Form, Submit, textOf } from '../../parts/form.tsx';
import { longChoice } from '../../parts/long-choice.ts';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useMay } from '../../viewer.ts';
import { useAccountNames } from '../receiving-account/account-names.ts';
import { recordTransferMutation } from './transfers-query.ts';

/** Records money that a person saw come, where no feed and no statement tells of it. */
export function RecordTransferButton({ onRecorded }: { onRecorded: () => void }) {
  const mayTransfer = useMay('transfers');
  const [opened, dialog] = useDisclosure();
  if (!mayTransfer) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Record by hand
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title="Record money that came">
        <TransferForm onRecorded={onRecorded} />
      </Dialog>
    </>
  );
}

function TransferForm({ onRecorded }: { onRecorded: () => void }) {
  const [, go] = useLocation();
  const { data: accounts = [] } = useAccountNames();
  const [{ fetching }, record] = useMutation(recordTransferMutation);
  const [accountId, setAccountId] = useState<string | null>(null);
  const outcome = useOutcome(['amount']);
  // The same at every try, so that pressing twice records once.
  const [id] = useState(() => `hand-${randomKey()}`);
  const account = accounts.find(({ value }) => value === accountId);
  const submit = async (form: FormData) => {
    if (!account) return outcome.say({ refusal: 'Choose the account it came to.' });
    const amount = outcome.read(() => amountOf(form, 'amount', account.currency));
    if (amount === undefined) return;
    const transfer = {
      id,
      receivingAccountId: account.value,
      amount,
      currency: account.currency,
      reference: textOf(form, 'reference'),
      payerName: textOf(form, 'payerName') || null,
      paidAt: textOf(form, 'paidAt'),
    };
    const answer = await record({ input: { transfers: [transfer] } });
    outcome.take(answer);
    const result = answer.data?.recordTransfers;
    const told = result?.__typename === 'RecordTransfersSuccess' ? result.transfers[0] : undefined;
    if (told?.detail) outcome.say({ refusal: told.detail });
    if (!told?.transfer) return;
    onRecorded();
    go(`/transfers/${told.transfer.id}`);
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">It is matched as a bank’s feed would be, by the word in its reference.</Text>
      <Select
        label="Account"
        placeholder="Choose"
        {...longChoice}
        data={accounts}
        value={accountId}
        onChange={setAccountId}
        openOnFocus={false}
        data-autofocus
      />
      <Group grow align="flex-start">
        <TextInput
          label={account ? `Amount (${account.currency})` : 'Amount'}
          name="amount"
          inputMode="decimal"
          error={outcome.faults.amount}
          required
          withAsterisk={false}
        />
        <TextInput
          label="Paid on"
          name="paidAt"
          type="date"
          defaultValue={today(shownTimeZone())}
          required
          withAsterisk={false}
        />
      </Group>
      <TextInput label="Reference" name="reference" description="What the payer wrote" maxLength={1000} />
      <TextInput label="Payer" name="payerName" maxLength={200} />
      <Submit isBusy={fetching}>Record</Submit>
    </Form>
  );
}
