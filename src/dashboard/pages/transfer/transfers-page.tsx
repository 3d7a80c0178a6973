import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
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
import { RecordTransferDialog } from './record-transfer-dialog.tsx';
import { transferReasons } from './transfer-reasons.ts';
import { transfersUpdated } from './transfer-row.ts';
import { TransferTable } from './transfer-table.tsx';
import { transfersQuery } from './transfers-query.ts';

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
  const [, navigate] = useLocation();
  if (!canManageTransfers) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t.transfer.recordTransfer}
      </Button>
      <RecordTransferDialog
        opened={opened}
        onClose={dialog.close}
        onRecorded={({ id }) => {
          onRecorded();
          navigate(`/transfers/${id}`);
        }}
      />
    </>
  );
}
