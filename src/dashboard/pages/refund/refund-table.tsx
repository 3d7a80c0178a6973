import { payerText } from '../../format/payer.ts';
import { Amount } from '../../parts/amount.tsx';
import { madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMethodName } from '../payment-methods.ts';
import type { RefundRow } from './refund-row.ts';

export function RefundTable({ refunds }: { refunds: readonly RefundRow[] }) {
  const methodName = useMethodName();
  const columns: Column<RefundRow>[] = [
    {
      title: 'Customer',
      cell: ({ id, charge }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          {payerText(charge)}
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    {
      title: 'Paid by',
      cell: ({ method }) => <Quiet>{methodName(method)}</Quiet>,
    },
    {
      title: 'Amount',
      end: true,
      cell: (refund) => <Amount value={refund.customerAmount} currency={refund.customerCurrency} />,
    },
    {
      title: 'Charge',
      cell: ({ charge }) => <Link to={`/charges/${charge.id}`}>Show charge</Link>,
    },
    madeColumn(),
  ];
  return <DataTable label="Refunds" columns={columns} rows={refunds} />;
}
