import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Muted } from '../../components/muted.tsx';
import { Section } from '../../components/section.tsx';
import { formatAmount } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatMethod } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import { formatChange } from './change.tsx';
import classes from './home.module.css';
import type { HomeSummary } from './period-query.ts';

type MethodRow = HomeSummary['methods'][number] & { id: string };

export function MethodsTable({ summary }: { summary: HomeSummary }) {
  const rows = summary.methods.map((row) => ({ ...row, id: `${row.method} ${row.currency}` }));
  const columns: TableColumn<MethodRow>[] = [
    { title: t.common.method, cell: ({ method }) => <strong>{formatMethod(method)}</strong> },
    { title: t.home.byDay, cell: (row) => <Sparkline amounts={row.dailyAmounts} /> },
    {
      title: t.home.count,
      isEndAligned: true,
      cell: ({ chargeCount }) => pluralize(chargeCount, t.common.paymentCount),
    },
    {
      title: t.home.collected,
      isEndAligned: true,
      cell: ({ collectedAmount, currency }) => <Amount value={collectedAmount} currency={currency} />,
    },
    ...(rows.every(({ currency }) => currency === summary.currency) ? [] : [toConvertedColumn(summary)]),
    {
      title: t.home.previousPeriodColumn,
      isEndAligned: true,
      cell: ({ collectedAmount, previousAmount, currency }) => (
        <Muted>
          {[
            formatChange(Number(collectedAmount), Number(previousAmount)),
            formatAmount(previousAmount, currency),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Muted>
      ),
    },
  ];
  return (
    <Section title={t.common.paymentMethods} isFlush>
      {rows.length === 0 ? (
        <EmptyState title={t.home.noPaymentsInThis}>{t.home.eachPaymentMethodIs}</EmptyState>
      ) : (
        <DataTable label={t.common.paymentMethods} columns={columns} rows={rows} hasLabels />
      )}
    </Section>
  );
}

function toConvertedColumn(summary: HomeSummary): TableColumn<MethodRow> {
  return {
    title: fillText(t.home.in, { currency: summary.currency }),
    isEndAligned: true,
    cell: ({ convertedAmount, currency }) =>
      currency !== summary.currency &&
      convertedAmount !== null && (
        <Muted>
          <Amount value={convertedAmount} currency={summary.currency} />
        </Muted>
      ),
  };
}

const height = 24;
const barWidth = 4;

/** Bars for the days. Only their heights are computed with floats; the columns beside them have the exact amounts. */
function Sparkline({ amounts }: { amounts: readonly string[] }) {
  if (amounts.length < 2) return null;
  const maxAmount = Math.max(...amounts.map(Number));
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${amounts.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {amounts.map((amount, i) => {
        // The minimum height makes even the smallest amount visible.
        const barHeight = Number(amount) === 0 ? 0 : Math.max(2, (Number(amount) / maxAmount) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the days have a fixed order.
            key={i}
            x={i * barWidth}
            y={height - barHeight}
            width={barWidth - 1}
            height={barHeight}
          />
        );
      })}
    </svg>
  );
}
