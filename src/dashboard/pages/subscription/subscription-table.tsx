import { Stack } from '@mantine/core';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatPayer } from '../../format/payer.ts';
import { formatPrice, formatProgress, getStatusBadge, type SubscriptionRow } from './subscription-row.ts';

const columns: TableColumn<SubscriptionRow>[] = [
  {
    title: 'Customer',
    cell: (subscription) => (
      <Link to={`/subscriptions/${subscription.id}`} fw={600}>
        {formatPayer(subscription)}
      </Link>
    ),
  },
  {
    title: 'Status',
    cell: (subscription) => (
      <Stack gap={4} align="flex-start">
        <StatusBadge status={getStatusBadge(subscription)} />
        {subscription.hasReversedPayment && <StatusBadge status="subscription_reversed" />}
      </Stack>
    ),
  },
  {
    title: 'Plan',
    cell: ({ subscriptionPlan }) => (
      <Link to={`/plans/${subscriptionPlan.id}`} lineClamp={2}>
        {subscriptionPlan.name}
      </Link>
    ),
  },
  {
    title: 'Price',
    isEndAligned: true,
    cell: formatPrice,
  },
  { title: 'Payments', isEndAligned: true, cell: formatProgress },
  {
    title: 'Next payment',
    isEndAligned: true,
    cell: ({ nextPaymentAt }) => (
      <Muted>{nextPaymentAt === null ? 'None' : <Moment at={nextPaymentAt} format="day" />}</Muted>
    ),
  },
];

export function SubscriptionTable({ subscriptions }: { subscriptions: readonly SubscriptionRow[] }) {
  return <DataTable label="Subscriptions" columns={columns} rows={subscriptions} />;
}
