import { Amount } from '../../components/amount.tsx';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatPayer } from '../../format/payer.ts';
import { useMethodName } from '../payment-methods.ts';
import type { ChargeRow } from './charge-row.ts';

export function ChargeTable({ label, charges }: { label: string; charges: readonly ChargeRow[] }) {
  const methodName = useMethodName();
  const columns: TableColumn<ChargeRow>[] = [
    {
      title: 'Customer',
      cell: (charge) => (
        <Link to={`/charges/${charge.id}`} fw={600}>
          {formatPayer(charge)}
        </Link>
      ),
    },
    { title: 'Status', cell: (charge) => <StatusBadge status={charge.status} /> },
    {
      title: 'Method',
      cell: (charge) => <Muted>{methodName(charge.method)}</Muted>,
    },
    {
      title: 'Amount',
      isEndAligned: true,
      cell: (charge) => <Amount value={charge.customerAmount} currency={charge.customerCurrency} />,
    },
    {
      title: 'Price',
      isEndAligned: true,
      cell: (charge) => <MerchantPrice charge={charge} />,
    },
    createdColumn(),
  ];
  return <DataTable label={label} columns={columns} rows={charges} />;
}

/** Shows the merchant's price, unless the customer pays in the same currency. */
function MerchantPrice({ charge }: { charge: ChargeRow }) {
  if (charge.merchantCurrency === charge.customerCurrency) return null;
  return (
    <Muted>
      <Amount value={charge.merchantAmount} currency={charge.merchantCurrency} />
    </Muted>
  );
}
