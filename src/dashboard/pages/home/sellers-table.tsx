import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { isZero } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { t } from '../../language/texts.ts';
import type { HomeSummary } from './period-query.ts';

type SellerRow = HomeSummary['sellers'][number] & { id: string };

/** Shows who sold at the counter; nothing if the shop has no such sales. */
export function SellersTable({ summary }: { summary: HomeSummary }) {
  const rows = summary.sellers.map((row) => ({ ...row, id: `${row.sellerId} ${row.currency}` }));
  if (rows.length === 0) return null;
  const columns: TableColumn<SellerRow>[] = [
    {
      title: t.common.soldAtTheCounterBy,
      cell: ({ sellerId, name }) => (
        <Link to={`/charges?status=completed&seller=${sellerId}`}>{name ?? t.home.removedUser}</Link>
      ),
    },
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
    {
      title: t.common.refundedAmount,
      isEndAligned: true,
      cell: ({ refundedAmount, currency }) =>
        !isZero(refundedAmount) && <Amount value={refundedAmount} currency={currency} />,
    },
  ];
  return (
    <Section title={t.home.salesAtTheCounter} isFlush>
      <DataTable label={t.home.salesAtTheCounter} columns={columns} rows={rows} hasLabels />
    </Section>
  );
}
