import { Button, Menu, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PeriodPicker, usePeriod } from '../../components/period-picker.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/count.ts';
import { isWholeMonth, monthName } from '../../format/days.ts';
import { formatMoment } from '../../format/moment.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { AccountantHint } from './accountant-hint.tsx';
import { XeroDialog } from './xero-dialog.tsx';

type Grouping = NonNullable<VariablesOf<typeof booksQuery>['groupBy']>;

const groupings: { value: Grouping; label: string }[] = [
  { value: 'period', label: t.books.wholePeriod },
  { value: 'month', label: t.books.month },
  { value: 'day', label: t.books.day },
];

export default function BooksPage() {
  const [period, setPeriod] = usePeriod();
  const [groupBy, setGroupBy] = useState<Grouping>('period');
  const query = useCachedQuery(booksQuery, { ...period, groupBy });
  const { start, ...exportJob } = useExport();
  const [isXeroOpen, xeroDialog] = useDisclosure();
  const journalInput = { kind: 'journal', startDate: period.from, endDate: period.to } as const;
  // Ignores totals of the period or grouping that was selected before.
  const data = query.isCurrent ? query.data : undefined;
  const currencies = [...new Set((data?.books ?? []).map(({ currency }) => currency))].sort();
  return (
    <>
      <PageHeader
        title={t.books.books}
        badge={isWholeMonth(period.from, period.to) ? monthName(period.from) : undefined}
        text={t.books.salesRefundsAndFees}
      >
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">{t.books.exportJournal}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => start({ ...journalInput, includeByteOrderMark: true })}>
              {t.books.csvWithDebitsAnd}
            </Menu.Item>
            <Menu.Item onClick={xeroDialog.open}>{t.books.manualJournalsForXeroMenu}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </PageHeader>
      <XeroDialog
        opened={isXeroOpen}
        currencies={currencies}
        onClose={xeroDialog.close}
        onExport={(xero) => start({ ...journalInput, xero })}
      />
      <ExportProgress {...exportJob} />
      <Text size="sm" c="var(--causeway-muted)" mb="xs">
        {t.books.otherOutgoingIsNotIncluded}
      </Text>
      <AccountantHint />
      <PeriodPicker period={period} onChange={setPeriod}>
        <Select
          label={t.books.totalsBy}
          data={groupings}
          value={groupBy}
          onChange={(value) =>
            setGroupBy(groupings.find((group) => group.value === value)?.value ?? 'period')
          }
          allowDeselect={false}
          w="10rem"
        />
      </PeriodPicker>
      <Section title={t.books.totals} isFlush>
        <Loaded key={`${period.from} ${period.to} ${groupBy}`} query={{ ...query, data }} lines={6}>
          {({ books }) =>
            books.length > 0 ? (
              <DataTable
                label={t.books.totals}
                hasLabels
                columns={groupBy === 'period' ? amountColumns : [periodColumn(groupBy), ...amountColumns]}
                rows={books.map((totals) => ({ ...totals, id: `${totals.startDate} ${totals.currency}` }))}
              />
            ) : (
              <EmptyState title={t.books.noActivity}>{t.books.noPaymentsOrRefunds}</EmptyState>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

const booksQuery = graphql(`
  query Books($from: Date!, $to: Date!, $groupBy: BookGrouping) {
    books(startDate: $from, endDate: $to, groupBy: $groupBy) {
      startDate
      currency
      chargeCount
      salesAmount
      depositAmount
      refundedAmount
      feeAmount
      otherIncomeAmount
      unmatchedAmount
      returnedAmount
      netAmount
    }
  }
`);

type Totals = NonNullable<ResultOf<typeof booksQuery>['books']>[number] & { id: string };
type AmountName = keyof Totals & `${string}Amount`;

function periodColumn(groupBy: Grouping): TableColumn<Totals> {
  return groupBy === 'month'
    ? { title: t.books.month, cell: ({ startDate }) => monthName(startDate) }
    : { title: t.books.day, cell: ({ startDate }) => formatMoment(startDate, 'date') };
}

const amountColumn = (title: string, name: AmountName): TableColumn<Totals> => ({
  title,
  isEndAligned: true,
  cell: (totals) => <Amount value={totals[name]} currency={totals.currency} />,
});

const amountColumns: TableColumn<Totals>[] = [
  { title: t.common.currency, cell: ({ currency }) => currency },
  { title: t.common.payments, isEndAligned: true, cell: ({ chargeCount }) => formatCount(chargeCount) },
  amountColumn(t.books.sales, 'salesAmount'),
  amountColumn(t.books.partialPayments, 'depositAmount'),
  amountColumn(t.common.refunds, 'refundedAmount'),
  amountColumn(t.books.fees, 'feeAmount'),
  amountColumn(t.books.otherIncome, 'otherIncomeAmount'),
  amountColumn(t.common.needsReview, 'unmatchedAmount'),
  amountColumn(t.books.net, 'netAmount'),
];
