import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMay } from '../../viewer.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { PlanForm } from './plan-form.tsx';
import { PlanTable } from './plan-table.tsx';
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
      <PageHeader title="Plans" text="What customers subscribe to: how much is paid, and how often.">
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
                    ? 'Make one, then send its link to customers.'
                    : 'Somebody who may manage the set-up makes them.'}
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
