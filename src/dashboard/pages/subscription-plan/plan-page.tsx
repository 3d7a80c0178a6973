import { Alert, Button, Grid, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { CreatedLink } from '../../components/created-link.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatCount } from '../../format/count.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { PlanForm } from './plan-form.tsx';
import {
  formatDays,
  formatInitialPayment,
  formatPaymentCount,
  formatRecurringPrice,
  formatTax,
  type PlanRow,
} from './plan-row.ts';
import { createSubscriptionLinkMutation, planQuery, updatePlanMutation } from './plans-query.ts';

/** Shows a plan: its terms and the number of its subscriptions. */
export default function PlanPage({ id }: { id: string }) {
  const query = useCachedQuery(planQuery, { id });
  return (
    <Loaded query={query} lines={10}>
      {({ subscriptionPlan }) =>
        subscriptionPlan ? (
          <Details plan={subscriptionPlan} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="plan" />
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
      <BackLink to="/plans">Plans</BackLink>
      <PageHeader
        title={plan.name}
        objectType="Plan"
        badge={<StatusBadge status={`plan_${plan.status}`} />}
        text={<CopyText text={plan.id} label="plan id" />}
      >
        {canWrite && plan.status === 'active' && <NewSubscriptionLink plan={plan} />}
        {canManage && (
          <>
            <Button variant="default" onClick={editDialog.open}>
              Edit
            </Button>
            <Button variant="default" onClick={copyDialog.open}>
              Copy
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
          This plan is closed to new subscribers. Existing subscriptions continue.
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
                View
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
        {formatCount(activeSubscriptionCount)} active
      </Text>
      <Text size="sm" c="var(--causeway-muted)">
        {subscriptionCount === 0
          ? 'No subscribers yet. You can still edit the terms.'
          : `${formatCount(subscriptionCount)} enrolled so far. The terms can no longer change.`}
      </Text>
    </>
  );
}

function StatusButton({ plan }: { plan: PlanRow }) {
  const update = useMutationAction(updatePlanMutation);
  const isOpen = plan.status === 'active';
  return (
    <ConfirmButton
      label={isOpen ? 'Close' : 'Reopen'}
      title={isOpen ? 'Close this plan?' : 'Reopen this plan?'}
      confirmLabel={isOpen ? 'Close plan' : 'Reopen plan'}
      variant="default"
      onConfirm={() => update({ input: { id: plan.id, status: isOpen ? 'inactive' : 'active' } })}
    >
      <Text size="sm">
        {isOpen
          ? 'The plan’s links will no longer accept new subscribers. Existing subscriptions continue.'
          : 'The plan’s links will accept new subscribers again.'}
      </Text>
    </ConfirmButton>
  );
}

function PlanFacts({ plan }: { plan: PlanRow }) {
  const methodName = useMethodName();
  const { orders, methods, selectedMethods, currency } = plan;
  const methodNames = selectedMethods.map((method) =>
    methods.includes(method) ? methodName(method) : `${methodName(method)} (currently unavailable)`,
  );
  return (
    <Facts
      facts={[
        ['Price', formatRecurringPrice(plan)],
        ['First payment', formatInitialPayment(plan)],
        ['Tax', formatTax(plan)],
        ['Duration', formatPaymentCount(plan.numPayments)],
        ['Invoice created', `${formatDays(plan.invoiceNoticeDays)} before the due date`],
        ['Paused', `${formatDays(plan.gracePeriodDays)} after the due date, if unpaid`],
        ['Emails', plan.sendEmail ? 'Invoices and reminders are emailed to customers' : 'Not sent'],
        ['Payment methods', methodNames.length === 0 ? 'All available methods' : methodNames.join(', ')],
        [
          'Items',
          orders.length > 0 && (
            <OrderList orders={orders} currency={currency} hasMismatch={plan.hasOrderMismatch} />
          ),
        ],
        ['Created', <Moment key="created" at={plan.createdAt} format="long" />],
      ]}
    />
  );
}

/** The fields that show their own error. */
const linkFieldPaths = ['customer', 'notifyPayload', 'redirectUrl'];

/** A button to create a link with which customers enrol in the plan. */
function NewSubscriptionLink({ plan }: { plan: PlanRow }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>New link</Button>
      <CreateDialog<string>
        opened={opened}
        onClose={dialog.close}
        title={`Link to ${plan.name}`}
        createdTitle="The link is ready"
        form={(onCreated) => <LinkForm planId={plan.id} onCreated={onCreated} />}
      >
        {(url, close) => <CreatedLink url={url} onClose={close} />}
      </CreateDialog>
    </>
  );
}

function LinkForm({ planId, onCreated }: { planId: string; onCreated: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSubscriptionLinkMutation);
  const formState = useFormState(linkFieldPaths);
  const { getFieldError } = formState;
  const submit = async (form: FormData) => {
    const [email, notifyPayload] = [getText(form, 'email'), getText(form, 'reference')];
    const redirectUrl = getText(form, 'redirectUrl');
    const response = await create({
      input: {
        subscriptionPlanId: planId,
        ...(email && { customer: { email } }),
        ...(notifyPayload && { notifyPayload }),
        ...(redirectUrl && { redirectUrl }),
      },
    });
    formState.handleResult(response);
    const result = response.data?.createSubscriptionLink;
    if (result?.__typename === 'CreateSubscriptionLinkSuccess') onCreated(result.url);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">Any number of customers can enrol with this link while the plan is open.</Text>
      <TextInput
        label="Customer email"
        description="Prefilled for the customer. Leave empty for a link that anyone can use."
        name="email"
        type="email"
        error={getFieldError('customer')}
        data-autofocus
      />
      <TextInput
        label="Your reference"
        description="Included in notifications of every charge"
        name="reference"
        maxLength={4096}
        error={getFieldError('notifyPayload')}
      />
      <TextInput
        label="Return URL"
        description="Opened by the button after payment"
        name="redirectUrl"
        type="url"
        error={getFieldError('redirectUrl')}
      />
      <SubmitButton isBusy={fetching}>Create link</SubmitButton>
    </Form>
  );
}
