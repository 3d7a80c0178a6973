import { Text } from '@mantine/core';
import { madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type PlanRow, paymentsText, recurringText } from './plan-row.ts';

const count = new Intl.NumberFormat();

const columns: Column<PlanRow>[] = [
  {
    title: 'Plan',
    cell: ({ id, name }) => (
      <Link to={`/plans/${id}`} fw={600}>
        {name}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`plan_${status}`} /> },
  { title: 'Paid', cell: recurringText },
  {
    title: 'Runs for',
    cell: ({ numPayments }) => (
      <Text size="sm" c="var(--causeway-muted)" span>
        {paymentsText(numPayments)}
      </Text>
    ),
  },
  {
    title: 'Subscriptions',
    end: true,
    cell: ({ numActive, numSubscriptions }) =>
      numSubscriptions === 0
        ? 'None yet'
        : `${count.format(numActive)} active of ${count.format(numSubscriptions)}`,
  },
  madeColumn('day'),
];

export function PlanTable({ plans }: { plans: readonly PlanRow[] }) {
  return <DataTable label="Plans" columns={columns} rows={plans} />;
}
