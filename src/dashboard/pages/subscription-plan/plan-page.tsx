import { Alert, Button, Grid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { formatCount } from '../../format/count.ts';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMay } from '../../viewer.ts';
import { NewSubscriptionLink } from './new-subscription-link.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { PlanForm } from './plan-form.tsx';
import type { PlanRow } from './plan-row.ts';
import { planQuery, updatePlanMutation } from './plans-query.ts';

/** One plan: its terms, who has taken them, and its link. */
export default function PlanPage({ id }: { id: string }) {
  const read = useRead(planQuery, { id });
  return (
    <Loaded read={read} lines={10}>
      {({ subscriptionPlan: plan }) =>
        plan ? <Details plan={plan} onChanged={read.refresh} /> : <NoSuch noun="plan" />
      }
    </Loaded>
  );
}

function Details({ plan, onChanged }: { plan: PlanRow; onChanged: () => void }) {
  const [mayManage, mayWrite] = [useMay('manage'), useMay('write')];
  const [, go] = useLocation();
  const [editing, edit] = useDisclosure();
  const [copying, copy] = useDisclosure();
  return (
    <>
      <BackLink to="/plans">Plans</BackLink>
      <PageHeader
        title={plan.name}
        noun="Plan"
        badge={<StatusBadge status={`plan_${plan.status}`} />}
        text={<CopyText text={plan.id} what="plan id" />}
      >
        {mayWrite && plan.status === 'active' && <NewSubscriptionLink plan={plan} />}
        {mayManage && (
          <>
            <Button variant="default" onClick={edit.open}>
              Edit
            </Button>
            <Button variant="default" onClick={copy.open}>
              Copy
            </Button>
            <StatusButton plan={plan} />
          </>
        )}
      </PageHeader>
      <PlanForm opened={editing} plan={plan} onClose={edit.close} onSaved={onChanged} />
      <PlanForm
        opened={copying}
        template={plan}
        onClose={copy.close}
        onSaved={({ id }) => go(`/plans/${id}`)}
      />
      {plan.status === 'inactive' && (
        <Alert color="amber" variant="light" mb="lg">
          This plan takes no new subscriptions. Those it has go on.
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Terms">
            <PlanFacts plan={plan} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section
            title="Subscriptions"
            aside={
              <Link to={`/subscriptions?plan=${plan.id}`} size="sm">
                Show
              </Link>
            }
          >
            <Taken plan={plan} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Taken({ plan: { numActive, numSubscriptions } }: { plan: PlanRow }) {
  return (
    <>
      <Text size="xl" fw={650}>
        {formatCount(numActive)} active
      </Text>
      <Text size="sm" c="var(--causeway-muted)">
        {numSubscriptions === 0
          ? 'Nobody has enrolled yet: the terms can still change.'
          : `${formatCount(numSubscriptions)} enrolled so far: the terms are fixed.`}
      </Text>
    </>
  );
}

function StatusButton({ plan }: { plan: PlanRow }) {
  const update = useAct(updatePlanMutation);
  const isOpen = plan.status === 'active';
  return (
    <ConfirmButton
      label={isOpen ? 'Close' : 'Open again'}
      title={isOpen ? 'Close this plan?' : 'Open this plan again?'}
      confirm={isOpen ? 'Close plan' : 'Open plan'}
      variant="default"
      onConfirm={() => update({ input: { id: plan.id, status: isOpen ? 'inactive' : 'active' } })}
    >
      <Text size="sm">
        {isOpen
          ? 'Its links tell customers that nobody new is taken. The subscriptions it has go on.'
          : 'Its links take new subscriptions again.'}
      </Text>
    </ConfirmButton>
  );
}
