import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { madeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { formatCount } from '../../format/count.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { PlanForm } from './plan-form.tsx';
import { type PlanRow, paymentsText, recurringText } from './plan-row.ts';
import { plansQuery } from './plans-query.ts';

/** All plans, newest first. */
export default function PlansPage() {
  const cursor = useCursor();
  const mayManage = useMay('manage');
  const [, go] = useLocation();
  const [opened, { open, close }] = useDisclosure();
  const read = useRead(plansQuery, cursor.variables);
  useLive(subscriptionsUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader title="Plans" text="The prices and billing periods that customers subscribe to.">
        {mayManage && <Button onClick={open}>New plan</Button>}
      </PageHeader>
      <PlanForm opened={opened} onClose={close} onSaved={({ id }) => go(`/plans/${id}`)} />
      <Section title="All plans" flush>
        <Loaded read={read} lines={6}>
          {({ subscriptionPlans }) => (
            <Paged
              page={subscriptionPlans}
              cursor={cursor}
              empty={
                <Empty title="No plans yet">
                  {mayManage
                    ? 'Create one, then send its link to customers.'
                    : 'You need the “manage” permission to create plans.'}
                </Empty>
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
  { title: 'Price', cell: recurringText },
  {
    title: 'Duration',
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

function PlanTable({ plans }: { plans: readonly PlanRow[] }) {
  return <DataTable label="Plans" columns={columns} rows={plans} />;
}
