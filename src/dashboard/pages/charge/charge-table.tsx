import { Amount } from '../../components/amount.tsx';
import { madeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { payerText } from '../../format/payer.ts';
import { useMethodName } from '../payment-methods.ts';
import type { ChargeRow } from './charge-row.ts';

export function ChargeTable({ label, charges }: { label: string; charges: readonly ChargeRow[] }) {
  const methodName = useMethodName();
  const columns: Column<ChargeRow>[] = [
    {
      title: 'Customer',
      cell: (charge) => (
        <Link to={`/charges/${charge.id}`} fw={600}>
          {payerText(charge)}
        </Link>
      ),
    },
    { title: 'Status', cell: (charge) => <StatusBadge status={charge.status} /> },
    {
      title: 'Method',
      cell: (charge) => <Quiet>{methodName(charge.method)}</Quiet>,
    },
    {
      title: 'Amount',
      end: true,
      cell: (charge) => <Amount value={charge.customerAmount} currency={charge.customerCurrency} />,
    },
    {
      title: 'Price',
      end: true,
      cell: (charge) => <Asked charge={charge} />,
    },
    madeColumn(),
  ];
  return <DataTable label={label} columns={columns} rows={charges} />;
}

/** Left out where it is the very amount that the customer pays. */
function Asked({ charge }: { charge: ChargeRow }) {
  if (charge.merchantCurrency === charge.customerCurrency) return null;
  return (
    <Quiet>
      <Amount value={charge.merchantAmount} currency={charge.merchantCurrency} />
    </Quiet>
  );
}
