import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { AmountFilter, useAmountRange } from '../../components/amount-filter.tsx';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { Form, getAmount, getText, SubmitButton } from '../../components/form.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { today } from '../../format/days.ts';
import { getDisplayTimeZone } from '../../format/moment.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { randomKey } from '../../graphql/random-key.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { CurrencyFilter } from '../currency-filter.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { AccountFilter } from '../receiving-account/account-filter.tsx';
import { useAccountNames } from '../receiving-account/use-account-names.ts';
import { transferReasons } from './transfer-reasons.ts';
import { transfersUpdated } from './transfer-row.ts';
import { TransferTable } from './transfer-table.tsx';
import { recordTransferMutation, transfersQuery } from './transfers-query.ts';

/** Lists all transfers, newest first, with a filter for those that need review. */
export default function TransfersPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useTransferFilter();
  // Counting all transfers, or those of a search, would read each of them.
  const hasCount = isFiltered && filter.search === undefined;
  const query = useCachedQuery(transfersQuery, { filter, hasCount, ...cursor.variables });
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  const exportJob = useExport();
  const needsReview = filter.statuses?.[0] === 'exception';
  return (
    <>
      <PageHeader title="Transfers" text="Transfers on your accounts and the charges they are applied to.">
        <ExportButton exportJob={exportJob} input={{ kind: 'transfers', transferFilter: filter }} />
        <RecordTransferButton onRecorded={query.refresh} />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <TransferFilterBar />
      <Section
        title={isFiltered ? 'Matching transfers' : 'All transfers'}
        aside={<ListCount count={query.data?.transfers.totalCount} noun="transfer" />}
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ transfers }) => (
            <Paged
              page={transfers}
              cursor={cursor}
              empty={<NoTransfers isFiltered={isFiltered} needsReview={needsReview} />}
            >
              {(rows) => <TransferTable transfers={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function NoTransfers({ isFiltered, needsReview }: { isFiltered: boolean; needsReview: boolean }) {
  if (needsReview) return <EmptyState title="All caught up">No transfers need review.</EmptyState>;
  if (isFiltered) return <EmptyState title="No transfers found">Try different filters.</EmptyState>;
  return (
    <EmptyState title="No transfers yet">
      Connect your bank’s feed to POST /transfers, or import its statements. You can also record a single
      transfer manually.
    </EmptyState>
  );
}

type TransfersFilter = NonNullable<VariablesOf<typeof transfersQuery>['filter']>;
type TransferStatusOption = NonNullable<TransfersFilter['statuses']>[number];

const statuses: { value: TransferStatusOption; label: string }[] = [
  { value: 'exception', label: 'Needs review' },
  { value: 'matched', label: 'Matched' },
  { value: 'partial', label: 'Partial' },
  { value: 'over', label: 'Overpaid' },
  { value: 'returned', label: 'Returned' },
  { value: 'dismissed', label: 'Not a payment' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'outgoing', label: 'Outgoing' },
  { value: 'undone', label: 'Undone' },
];

function useTransferFilter(): { filter: TransfersFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { from, to } = useDateRange();
  const range = useAmountRange();
  const currency = getFilter('currency');
  return toFilter<TransfersFilter>({
    paidFrom: from,
    paidTo: to,
    statuses: toArray(findChoice(getFilter('status'), statuses)),
    reasons: toArray(findChoice(getFilter('reason'), transferReasons)),
    receivingAccountId: getFilter('account'),
    amount: range ?? (currency === null ? null : { currency }),
    search: getFilter('search'),
  });
}

function TransferFilterBar() {
  return (
    <FilterBar>
      <FilterSelect name="status" label="Status" choices={statuses} />
      <FilterSelect
        name="reason"
        label="Reason"
        placeholder="Any reason"
        choices={transferReasons}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <AccountFilter />
      <CurrencyFilter />
      <DateRangeFilter label="Paid" />
      <AmountFilter noun="Amount" />
      <FilterSearchForm
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

/** A button to record a received transfer that no feed or statement reports. */
function RecordTransferButton({ onRecorded }: { onRecorded: () => void }) {
  const canManageTransfers = useHasPermission('transfers');
  const [opened, dialog] = useDisclosure();
  if (!canManageTransfers) return null;
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
  const [, navigate] = useLocation();
  const { data: accounts = [] } = useAccountNames();
  const [{ fetching }, record] = useMutation(recordTransferMutation);
  const [accountId, setAccountId] = useState<string | null>(null);
  const formState = useFormState(['amount']);
  // The same for all attempts, so that submitting twice records the transfer once.
  const [bankReference] = useState(() => `hand-${randomKey()}`);
  const account = accounts.find(({ value }) => value === accountId);
  const submit = async (form: FormData) => {
    if (!account) return formState.setErrors({ error: 'Choose the account that received the money.' });
    const amount = formState.read(() => getAmount(form, 'amount', account.currency));
    if (amount === undefined) return;
    const transfer = {
      bankReference,
      receivingAccountId: account.value,
      amount,
      currency: account.currency,
      reference: getText(form, 'reference'),
      payerName: getText(form, 'payerName') || null,
      paidAt: getText(form, 'paidAt'),
    };
    const response = await record({ input: { transfers: [transfer] } });
    formState.handleResult(response);
    const result = response.data?.recordTransfers;
    const recorded = result?.__typename === 'RecordTransfersSuccess' ? result.results[0] : undefined;
    if (recorded?.errorMessage) formState.setErrors({ error: recorded.errorMessage });
    if (!recorded?.transfer) return;
    onRecorded();
    navigate(`/transfers/${recorded.transfer.id}`);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">It is matched by its payment reference, like a transfer from a bank feed.</Text>
      <Select
        label="Account"
        placeholder="Choose"
        {...searchableSelectProps}
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
          error={formState.fieldErrors.amount}
          required
          withAsterisk={false}
        />
        <TextInput
          label="Paid on"
          name="paidAt"
          type="date"
          defaultValue={today(getDisplayTimeZone())}
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
      <SubmitButton isBusy={fetching}>Record</SubmitButton>
    </Form>
  );
}
