import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
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
import { t } from '../../language/texts.ts';
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
      <PageHeader title={t.subscriptionPlan.plans} text={t.subscriptionPlan.thePricesAndBilling}>
        {canManage && <Button onClick={open}>{t.subscriptionPlan.newPlan}</Button>}
      </PageHeader>
      <PlanForm opened={opened} onClose={close} onSaved={({ id }) => navigate(`/plans/${id}`)} />
      <Section title={t.subscriptionPlan.allPlans} isFlush>
        <Loaded query={query} lines={6}>
          {({ subscriptionPlans }) => (
            <Paged
              page={subscriptionPlans}
              cursor={cursor}
              empty={
                <EmptyState title={t.subscriptionPlan.noPlansYet}>
                  {canManage ? t.subscriptionPlan.createOneThenSend : t.subscriptionPlan.whoCanCreate}
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
    title: t.common.plan,
    cell: ({ id, name }) => (
      <Link to={`/plans/${id}`} fw={600}>
        {name}
      </Link>
    ),
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={`plan_${status}`} /> },
  { title: t.common.price, cell: formatRecurringPrice },
  {
    title: t.subscriptionPlan.duration,
    cell: ({ numPayments }) => <Muted>{formatPaymentCount(numPayments)}</Muted>,
  },
  {
    title: t.common.subscriptions,
    isEndAligned: true,
    cell: ({ activeSubscriptionCount, subscriptionCount }) =>
      subscriptionCount === 0
        ? t.subscriptionPlan.noneYet
        : fillText(t.subscriptionPlan.activeOf, {
            activeSubscriptionCount: formatCount(activeSubscriptionCount),
            subscriptionCount: formatCount(subscriptionCount),
          }),
  },
  createdColumn('day'),
];

function PlanTable({ plans }: { plans: readonly PlanRow[] }) {
  return <DataTable label={t.subscriptionPlan.plans} columns={columns} rows={plans} />;
}
