import { Stack } from '@mantine/core';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import {
  formatPrice,
  formatProgress,
  getStatusBadge,
  getUpcomingPayment,
  type SubscriptionRow,
} from './subscription-row.ts';

const columns: TableColumn<SubscriptionRow>[] = [
  {
    title: t.common.customer,
    cell: (subscription) => (
      <Link to={`/subscriptions/${subscription.id}`} fw={600}>
        {formatPayer(subscription)}
      </Link>
    ),
  },
  {
    title: t.common.status,
    cell: (subscription) => (
      <Stack gap={4} align="flex-start">
        <StatusBadge status={getStatusBadge(subscription)} />
        {subscription.hasReversedPayment && <StatusBadge status="subscription_reversed" />}
      </Stack>
    ),
  },
  {
    title: t.common.plan,
    cell: ({ subscriptionPlan }) => (
      <Link to={`/plans/${subscriptionPlan.id}`} lineClamp={2}>
        {subscriptionPlan.name}
      </Link>
    ),
  },
  {
    title: t.common.price,
    isEndAligned: true,
    cell: formatPrice,
  },
  { title: t.common.payments, isEndAligned: true, cell: formatProgress },
  {
    title: t.subscription.nextPayment,
    isEndAligned: true,
    cell: (subscription) => {
      const at = getUpcomingPayment(subscription);
      return <Muted>{at === null ? t.common.none : <Moment at={at} format="day" />}</Muted>;
    },
  },
];

export function SubscriptionTable({ subscriptions }: { subscriptions: readonly SubscriptionRow[] }) {
  return <DataTable label={t.common.subscriptions} columns={columns} rows={subscriptions} hasLabels />;
}
