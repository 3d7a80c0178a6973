import { formatCount } from '../../format/count.ts';
import { madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type PlanRow, paymentsText, recurringText } from './plan-row.ts';

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
    cell: ({ numPayments }) => <Quiet>{paymentsText(numPayments)}</Quiet>,
  },
  {
    title: 'Subscriptions',
    end: true,
    cell: ({ numActive, numSubscriptions }) =>
      numSubscriptions === 0
        ? 'None yet'
        : `${formatCount(numActive)} active of ${formatCount(numSubscriptions)}`,
  },
  madeColumn('day'),
];

export function PlanTable({ plans }: { plans: readonly PlanRow[] }) {
  return <DataTable label="Plans" columns={columns} rows={plans} />;
}
