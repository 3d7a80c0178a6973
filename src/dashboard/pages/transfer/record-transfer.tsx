import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { useLocation } from 'wouter';
import { plainDecimal } from '../../format/amount.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { Refused } from '../../parts/refused.tsx';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { accountsQuery, recordTransferMutation } from './transfers-query.ts';

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
      <Modal opened={opened} onClose={dialog.close} title="Record money that came" centered>
        <Form onRecorded={onRecorded} />
      </Modal>
    </>
  );
}

/** The day it is, in the reader's own zone, as a date field wants it. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function Form({ onRecorded }: { onRecorded: () => void }) {
  const methodName = useMethodName();
  const [, go] = useLocation();
  const [{ data }] = useQuery({ query: accountsQuery });
  const [{ fetching }, record] = useMutation(recordTransferMutation);
  const [accountId, setAccountId] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string>();
  // The same at every try, so that pressing twice records once.
  const [id] = useState(() => `hand-${crypto.randomUUID()}`);
  const accounts = data?.receivingAccounts.nodes ?? [];
  const account = accounts.find((one) => one.id === accountId);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!account) return setRefusal('Choose the account it came to.');
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const transfer = {
      id,
      receivingAccountId: account.id,
      amount: plainDecimal(text('amount')),
      currency: account.currency,
      reference: text('reference'),
      payerName: text('payerName') || null,
      paidAt: text('paidAt'),
    };
    const outcome = await record({ input: { transfers: [transfer] } });
    const result = outcome.data?.recordTransfers;
    const told = result?.__typename === 'RecordTransfersSuccess' ? result.transfers[0] : undefined;
    setRefusal(refusalOf(outcome) ?? told?.detail ?? undefined);
    if (!told?.transfer) return;
    onRecorded();
    go(`/transfers/${told.transfer.id}`);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">It is matched as a bank’s feed would be, by the word in its reference.</Text>
        <Refused text={refusal} />
        <Select
          label="Account"
          placeholder="Choose"
          searchable
          data={accounts.map((one) => ({
            value: one.id,
            label: `${methodName(one.method)}, ${one.account} (${one.currency})`,
          }))}
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
            required
            withAsterisk={false}
          />
          <TextInput
            label="Paid on"
            name="paidAt"
            type="date"
            defaultValue={today()}
            required
            withAsterisk={false}
          />
        </Group>
        <TextInput label="Reference" name="reference" description="What the payer wrote" maxLength={1000} />
        <TextInput label="Payer" name="payerName" maxLength={200} />
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Record
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
