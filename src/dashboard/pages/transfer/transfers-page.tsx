import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice, FilterTexts } from '../../components/filter-bar.tsx';
import { amountOf, Form, Submit, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { longChoice } from '../../components/long-choice.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../components/use-filter.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { today } from '../../format/days.ts';
import { shownTimeZone } from '../../format/moment.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { randomKey } from '../../graphql/random-key.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { useAccountNames } from '../receiving-account/account-names.ts';
import { transferReasons } from './transfer-reasons.ts';
import { transfersUpdated } from './transfer-row.ts';
import { TransferTable } from './transfer-table.tsx';
import { recordTransferMutation, transfersQuery } from './transfers-query.ts';

/** All money that came, newest first; that which waits for a decision is one choice away. */
export default function TransfersPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useTransferFilter();
  const read = useRead(transfersQuery, { filter, ...cursor.variables });
  useLive(transfersUpdated, {}, read.refresh);
  useLive(chargesUpdated, {}, read.refresh);
  const made = useExport();
  const waits = filter.status?.[0] === 'exception';
  return (
    <>
      <PageHeader title="Transfers" text="Transfers on your accounts and the charges they are applied to.">
        <ExportButton of={made} input={{ kind: 'transfers', transferFilter: filter }} />
        <RecordTransferButton onRecorded={read.refresh} />
      </PageHeader>
      <ExportProgress {...made} />
      <TransferFilterBar />
      <Section title={isFiltered ? 'Matching transfers' : 'All transfers'} flush>
        <Loaded read={read} lines={8}>
          {({ transfers }) => (
            <Paged page={transfers} cursor={cursor} empty={<Nothing isFiltered={isFiltered} waits={waits} />}>
              {(rows) => <TransferTable transfers={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function Nothing({ isFiltered, waits }: { isFiltered: boolean; waits: boolean }) {
  if (waits) return <Empty title="All caught up">No transfers need review.</Empty>;
  if (isFiltered) return <Empty title="No transfers found">Try different filters.</Empty>;
  return (
    <Empty title="No transfers yet">
      Connect your bank’s feed to POST /transfers, or import its statements. You can also record a single
      transfer manually.
    </Empty>
  );
}

type Filter = NonNullable<VariablesOf<typeof transfersQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'exception', label: 'Needs review' },
  { value: 'matched', label: 'Matched' },
  { value: 'partial', label: 'Partial' },
  { value: 'over', label: 'Overpaid' },
  { value: 'returned', label: 'Returned' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'outgoing', label: 'Outgoing' },
];

/** The filter in the page's address, as the API takes it. */
function useTransferFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    reason: onlyOne(choiceOf(read('reason'), transferReasons)),
    receivingAccountId: read('account'),
    search: read('search'),
  });
}

function TransferFilterBar() {
  const { read } = useFilter();
  const { data: accounts = [] } = useAccountNames();
  const chosen = read('account');
  const isNamed = chosen === null || accounts.some(({ value }) => value === chosen);
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterChoice
        name="reason"
        label="Reason"
        placeholder="Any reason"
        choices={transferReasons}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <FilterChoice
        name="account"
        label="Account"
        choices={isNamed ? accounts : [{ value: chosen, label: 'One account' }, ...accounts]}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
        {...(accounts.length > 8 && longChoice)}
      />
      <FilterTexts
        fields={[
          {
            name: 'search',
            label: 'Search',
            type: 'search',
            placeholder: 'Reference, payer, bank reference',
          },
        ]}
      />
    </FilterBar>
  );
}

/** Records money that a person saw come, where no feed and no statement tells of it. */
function RecordTransferButton({ onRecorded }: { onRecorded: () => void }) {
  const mayTransfer = useMay('transfers');
  const [opened, dialog] = useDisclosure();
  if (!mayTransfer) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Record transfer
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title="Record transfer">
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
    if (!account) return outcome.say({ refusal: 'Choose the account that received the money.' });
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
      <Text size="sm">It is matched by its payment reference, like a transfer from a bank feed.</Text>
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
      <TextInput
        label="Reference"
        name="reference"
        description="The message that the payer entered"
        maxLength={1000}
      />
      <TextInput label="Payer" name="payerName" maxLength={200} />
      <Submit isBusy={fetching}>Record</Submit>
    </Form>
  );
}
