import { Alert, Button, Grid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import { formatMethod } from '../../format/labels.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { NewSubscriptionLink } from './new-subscription-link.tsx';
import { PlanForm } from './plan-form.tsx';
import {
  formatInitialPayment,
  formatPaymentCount,
  formatRecurringPrice,
  formatTax,
  type PlanRow,
} from './plan-row.ts';
import { planQuery, updatePlanMutation } from './plans-query.ts';

const emailsText = isMailDelivered
  ? t.subscriptionPlan.invoicesAndRemindersAre
  : t.subscriptionPlan.nothingIsSentYet;

export default function PlanPage({ id }: { id: string }) {
  const query = useCachedQuery(planQuery, { id });
  return (
    <Loaded query={query} lines={10}>
      {({ subscriptionPlan }) =>
        subscriptionPlan ? (
          <Details plan={subscriptionPlan} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.subscriptionPlan.notFound} />
        )
      }
    </Loaded>
  );
}

function Details({ plan, onChanged }: { plan: PlanRow; onChanged: () => void }) {
  const [canManage, canWrite] = [useHasPermission('manage'), useHasPermission('write')];
  const [, navigate] = useLocation();
  const [isEditing, editDialog] = useDisclosure();
  const [isCopying, copyDialog] = useDisclosure();
  return (
    <>
      <BackLink to="/plans">{t.subscriptionPlan.plans}</BackLink>
      <PageHeader
        title={plan.name}
        objectType={t.common.plan}
        badge={<StatusBadge status={`plan_${plan.status}`} />}
        text={<CopyText text={plan.id} label={t.components.copyId} />}
      >
        {canWrite && plan.status === 'active' && <NewSubscriptionLink plan={plan} />}
        {canManage && (
          <>
            <Button variant="default" onClick={editDialog.open}>
              {t.common.edit}
            </Button>
            <Button variant="default" onClick={copyDialog.open}>
              {t.common.copy}
            </Button>
            <StatusButton plan={plan} />
          </>
        )}
      </PageHeader>
      <PlanForm opened={isEditing} plan={plan} onClose={editDialog.close} onSaved={onChanged} />
      <PlanForm
        opened={isCopying}
        templatePlan={plan}
        onClose={copyDialog.close}
        onSaved={({ id }) => navigate(`/plans/${id}`)}
      />
      {plan.status === 'inactive' && (
        <Alert color="amber" variant="light" mb="lg">
          {t.subscriptionPlan.thisPlanIsClosed}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title={t.subscriptionPlan.terms}>
            <PlanFacts plan={plan} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section
            title={t.common.subscriptions}
            aside={
              <Link to={`/subscriptions?plan=${plan.id}`} size="sm">
                {t.subscriptionPlan.view}
              </Link>
            }
          >
            <SubscriberCounts plan={plan} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function SubscriberCounts({ plan: { activeSubscriptionCount, subscriptionCount } }: { plan: PlanRow }) {
  return (
    <>
      <Text size="xl" fw={650}>
        {fillText(t.subscriptionPlan.active, {
          activeSubscriptionCount: formatCount(activeSubscriptionCount),
        })}
      </Text>
      <Text size="sm" c="var(--causeway-muted)">
        {subscriptionCount === 0
          ? t.subscriptionPlan.noSubscribersYetYou
          : fillText(t.subscriptionPlan.enrolledSoFarThe, {
              subscriptionCount: formatCount(subscriptionCount),
            })}
      </Text>
    </>
  );
}

function StatusButton({ plan }: { plan: PlanRow }) {
  const update = useMutationAction(updatePlanMutation);
  const isOpen = plan.status === 'active';
  return (
    <ConfirmButton
      label={isOpen ? t.subscriptionPlan.close : t.subscriptionPlan.reopen}
      title={isOpen ? t.subscriptionPlan.closeThisPlan : t.subscriptionPlan.reopenThisPlan}
      confirmLabel={isOpen ? t.subscriptionPlan.closePlan : t.subscriptionPlan.reopenPlan}
      variant="default"
      onConfirm={() => update({ input: { id: plan.id, status: isOpen ? 'inactive' : 'active' } })}
    >
      <Text size="sm">
        {isOpen ? t.subscriptionPlan.thePlansLinksWill : t.subscriptionPlan.thePlansLinksWillAccept}
      </Text>
    </ConfirmButton>
  );
}

function PlanFacts({ plan }: { plan: PlanRow }) {
  const { orders, methods, selectedMethods, currency } = plan;
  const methodNames = selectedMethods.map((method) =>
    methods.includes(method)
      ? formatMethod(method)
      : fillText(t.subscriptionPlan.currentlyUnavailable, { methodName: formatMethod(method) }),
  );
  return (
    <Facts
      facts={[
        [t.common.price, formatRecurringPrice(plan)],
        [t.subscriptionPlan.firstPayment, formatInitialPayment(plan)],
        [t.subscriptionPlan.tax, formatTax(plan)],
        [t.subscriptionPlan.duration, formatPaymentCount(plan.numPayments)],
        [
          t.subscriptionPlan.invoiceCreated,
          pluralize(plan.invoiceNoticeDays, t.subscriptionPlan.beforeTheDueDate),
        ],
        [t.subscriptionPlan.pausedAfter, pluralize(plan.gracePeriodDays, t.subscriptionPlan.afterTheDueDate)],
        [t.subscriptionPlan.emails, plan.sendEmail ? emailsText : t.common.notSent],
        [
          t.common.paymentMethods,
          methodNames.length === 0 ? t.subscriptionPlan.allAvailableMethods : methodNames.join(' · '),
        ],
        [
          t.common.items,
          orders.length > 0 && (
            <OrderList orders={orders} currency={currency} hasMismatch={plan.hasOrderMismatch} />
          ),
        ],
        [t.common.created, <Moment key="created" at={plan.createdAt} format="long" />],
      ]}
    />
  );
}
