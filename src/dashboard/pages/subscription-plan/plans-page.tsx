import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { formatCount } from '../../format/count.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { PlanForm } from './plan-form.tsx';
import { formatPaymentCount, formatRecurringPrice, type PlanRow } from './plan-row.ts';
import { plansQuery } from './plans-query.ts';

export default function PlansPage() {
  const cursor = useCursor();
  const canManage = useHasPermission('manage');
  const [, navigate] = useLocation();
  const [opened, { open, close }] = useDisclosure();
  const query = useCachedQuery(plansQuery, cursor.variables);
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title="Plans" text="The prices and billing periods that customers subscribe to.">
        {canManage && <Button onClick={open}>New plan</Button>}
      </PageHeader>
      <PlanForm opened={opened} onClose={close} onSaved={({ id }) => navigate(`/plans/${id}`)} />
      <Section title="All plans" isFlush>
        <Loaded query={query} lines={6}>
          {({ subscriptionPlans }) => (
            <Paged
              page={subscriptionPlans}
              cursor={cursor}
              empty={
                <EmptyState title="No plans yet">
                  {canManage
                    ? 'Create one, then send its link to customers.'
                    : 'You need the “manage” permission to create plans.'}
                </EmptyState>
              }
            >
              {(rows) => <PlanTable plans={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<PlanRow>[] = [
  {
    title: 'Plan',
    cell: ({ id, name }) => (
      <Link to={`/plans/${id}`} fw={600}>
        {name}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`plan_${status}`} /> },
  { title: 'Price', cell: formatRecurringPrice },
  {
    title: 'Duration',
    cell: ({ numPayments }) => <Muted>{formatPaymentCount(numPayments)}</Muted>,
  },
  {
    title: 'Subscriptions',
    isEndAligned: true,
    cell: ({ activeSubscriptionCount, subscriptionCount }) =>
      subscriptionCount === 0
        ? 'None yet'
        : `${formatCount(activeSubscriptionCount)} active of ${formatCount(subscriptionCount)}`,
  },
  createdColumn('day'),
];

function PlanTable({ plans }: { plans: readonly PlanRow[] }) {
  return <DataTable label="Plans" columns={columns} rows={plans} />;
}
