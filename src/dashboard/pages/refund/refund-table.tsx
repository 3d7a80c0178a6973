import { Amount } from '../../components/amount.tsx';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatPayer } from '../../format/payer.ts';
import { useMethodName } from '../payment-methods.ts';
import type { RefundRow } from './refund-row.ts';

export function RefundTable({ refunds }: { refunds: readonly RefundRow[] }) {
  const methodName = useMethodName();
  const columns: TableColumn<RefundRow>[] = [
    {
      title: 'Customer',
      cell: ({ id, charge }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          {formatPayer(charge)}
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    {
      title: 'Original method',
      cell: ({ method }) => <Muted>{methodName(method)}</Muted>,
    },
    {
      title: 'Amount',
      isEndAligned: true,
      cell: (refund) => <Amount value={refund.customerAmount} currency={refund.customerCurrency} />,
    },
    {
      title: 'Charge',
      cell: ({ charge }) => <Link to={`/charges/${charge.id}`}>View charge</Link>,
    },
    createdColumn(),
  ];
  return <DataTable label="Refunds" columns={columns} rows={refunds} />;
}
