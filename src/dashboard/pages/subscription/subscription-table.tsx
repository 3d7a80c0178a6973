import { payerText } from '../../format/payer.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { recurringText } from '../subscription-plan/plan-row.ts';
import { lookOf, progressText, type SubscriptionRow } from './subscription-row.ts';

const columns: Column<SubscriptionRow>[] = [
  {
    title: 'Customer',
    cell: (subscription) => (
      <Link to={`/subscriptions/${subscription.id}`} fw={600}>
        {payerText(subscription)}
      </Link>
    ),
  },
  { title: 'Status', cell: (subscription) => <StatusBadge status={lookOf(subscription)} /> },
  {
    title: 'Plan',
    cell: ({ plan }) => (
      <Link to={`/plans/${plan.id}`} lineClamp={2}>
        {plan.name}
      </Link>
    ),
  },
  { title: 'Pays', end: true, cell: ({ plan }) => recurringText(plan) },
  { title: 'Payments', end: true, cell: progressText },
  {
    title: 'Next payment',
    end: true,
    cell: ({ nextPayment }) => (
      <Quiet>{nextPayment === null ? 'None' : <Moment at={nextPayment} form="day" />}</Quiet>
    ),
  },
];

export function SubscriptionTable({ subscriptions }: { subscriptions: readonly SubscriptionRow[] }) {
  return <DataTable label="Subscriptions" columns={columns} rows={subscriptions} />;
}
