import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { Form, getAmount, getText, SubmitButton } from '../../components/form.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
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
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { AmountFilter, useAmountRange } from '../amount-filter.tsx';
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

export default function TransfersPage() {
  const cursor = useCursor();
  const order = useOrder();
  const { filter, isFiltered } = useTransferFilter();
  // Counting all transfers, or those of a search, would read each of them.
  const hasCount = isFiltered && filter.search === undefined;
  const query = useCachedQuery(transfersQuery, { filter, hasCount, ...order, ...cursor.variables });
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  const exportJob = useExport();
  const needsReview = filter.statuses?.[0] === 'exception';
  return (
    <>
      <PageHeader title={t.common.transfers} text={t.transfer.transfersOnYourAccounts}>
        <ExportButton exportJob={exportJob} input={{ kind: 'transfers', ...order, transferFilter: filter }} />
        <RecordTransferButton onRecorded={query.refresh} />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <TransferFilterBar />
      <Section
        title={isFiltered ? t.transfer.matchingTransfers : t.transfer.allTransfers}
        aside={<ListCount count={query.data?.transfers.totalCount} noun={t.common.transferCount} />}
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
  if (needsReview)
    return <EmptyState title={t.transfer.allCaughtUp}>{t.transfer.noTransfersNeedReview}</EmptyState>;
  if (isFiltered)
    return <EmptyState title={t.transfer.noTransfersFound}>{t.common.tryDifferentFilters}</EmptyState>;
  return <EmptyState title={t.transfer.noTransfersYet}>{t.transfer.connectYourBanksFeed}</EmptyState>;
}

type TransfersFilter = NonNullable<VariablesOf<typeof transfersQuery>['filter']>;
type TransferStatusOption = NonNullable<TransfersFilter['statuses']>[number];

const statuses: { value: TransferStatusOption; label: string }[] = [
  { value: 'exception', label: t.common.needsReview },
  { value: 'matched', label: t.transfer.matched },
  { value: 'partial', label: t.transfer.partial },
  { value: 'over', label: t.transfer.overpaid },
  { value: 'returned', label: t.transfer.returned },
  { value: 'dismissed', label: t.transfer.notAPayment },
  { value: 'duplicate', label: t.transfer.duplicate },
  { value: 'outgoing', label: t.common.outgoing },
  { value: 'undone', label: t.common.undone },
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
    statementId: getFilter('statement'),
    amount: range ?? (currency === null ? null : { currency }),
    search: getFilter('search'),
  });
}

function TransferFilterBar() {
  const { getFilter } = useFilter();
  const statementId = getFilter('statement');
  return (
    <FilterBar>
      {statementId !== null && (
        <FilterSelect
          name="statement"
          label={t.statement.statement}
          choices={[{ value: statementId, label: statementId }]}
        />
      )}
      <FilterSelect name="status" label={t.common.status} choices={statuses} />
      <FilterSelect
        name="reason"
        label={t.common.reason}
        placeholder={t.transfer.anyReason}
        choices={transferReasons}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <AccountFilter />
      <CurrencyFilter />
      <DateRangeFilter fromLabel={t.transfer.paidFrom} />
      <AmountFilter fromLabel={t.common.amountFrom} />
      <OrderSelect />
      <FilterSearchForm
        fields={[
          {
            name: 'search',
            label: t.common.search,
            type: 'search',
            placeholder: t.transfer.referencePayerBankReference,
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
        {t.transfer.recordTransfer}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t.transfer.recordTransfer}>
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
    if (!account) return formState.setErrors({ error: t.transfer.chooseTheAccountThat });
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
      <Text size="sm">{t.transfer.itIsMatchedBy}</Text>
      <Select
        label={t.common.account}
        placeholder={t.transfer.choose}
        {...searchableSelectProps}
        data={accounts}
        value={accountId}
        onChange={setAccountId}
        openOnFocus={false}
        data-autofocus
      />
      <Group grow align="flex-start">
        <TextInput
          label={account ? fillText(t.transfer.amount, { currency: account.currency }) : t.common.amount}
          name="amount"
          inputMode="decimal"
          error={formState.fieldErrors.amount}
          required
          withAsterisk={false}
        />
        <TextInput
          label={t.transfer.paidOn}
          name="paidAt"
          type="date"
          defaultValue={today(getDisplayTimeZone())}
          required
          withAsterisk={false}
        />
      </Group>
      <TextInput
        label={t.transfer.reference}
        name="reference"
        description={t.transfer.theMessageThatThe}
        maxLength={1000}
      />
      <TextInput label={t.transfer.payer} name="payerName" maxLength={200} />
      <SubmitButton isBusy={fetching}>{t.transfer.record}</SubmitButton>
    </Form>
  );
}
