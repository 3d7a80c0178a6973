import { Text } from '@mantine/core';
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
      cell: (charge) => <ChargeAmount charge={charge} />,
    },
    createdColumn(),
  ];
  return <DataTable label={label} columns={columns} rows={charges} />;
}

/** Shows the amount and, if the customer pays in another currency, the price below it. */
function ChargeAmount({ charge }: { charge: ChargeRow }) {
  const { customerAmount, customerCurrency, merchantAmount, merchantCurrency } = charge;
  return (
    <>
      <Amount value={customerAmount} currency={customerCurrency} />
      {merchantCurrency !== customerCurrency && (
        <Text size="xs" c="var(--causeway-muted)" component="div">
          <Amount value={merchantAmount} currency={merchantCurrency} />
        </Text>
      )}
    </>
  );
}
