import { Amount } from '../../parts/amount.tsx';
import { madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { RefundActions } from '../refund/refund-actions.tsx';
import type { ChargeDetails } from './charge-query.ts';

type Refund = ChargeDetails['refunds'][number];

/** What was given back of the charge, and what to do next about it. */
export function ChargeRefunds({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  const columns: Column<Refund>[] = [
    {
      title: 'Amount',
      cell: ({ id, customerAmount, customerCurrency }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          <Amount value={customerAmount} currency={customerCurrency} />
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    { title: 'Reference', cell: ({ payoutReference }) => payoutReference },
    madeColumn(),
    {
      title: 'Next',
      cell: (refund) => <RefundActions refund={refund} onChanged={onChanged} isLine />,
    },
  ];
  return <DataTable label="Refunds" columns={columns} rows={charge.refunds} />;
}
