import { Alert, Button, Grid, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, Submit, textOf } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MadeLink } from '../../components/made-link.tsx';
import { MakeDialog } from '../../components/make-dialog.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { formatCount } from '../../format/count.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { PlanForm } from './plan-form.tsx';
import { daysText, initialText, type PlanRow, paymentsText, recurringText } from './plan-row.ts';
import { createSubscriptionLinkMutation, planQuery, updatePlanMutation } from './plans-query.ts';

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
          ? 'No subscribers yet. You can still edit the terms.'
          : `${formatCount(numSubscriptions)} enrolled so far. The terms can no longer change.`}
      </Text>
    </>
  );
}

function StatusButton({ plan }: { plan: PlanRow }) {
  const update = useAct(updatePlanMutation);
  const isOpen = plan.status === 'active';
  return (
    <ConfirmButton
      label={isOpen ? 'Close' : 'Reopen'}
      title={isOpen ? 'Close this plan?' : 'Reopen this plan?'}
      confirm={isOpen ? 'Close plan' : 'Reopen plan'}
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
  const { orders, methods, namedMethods, currency } = plan;
  const named = namedMethods.map((method) =>
    methods.includes(method) ? methodName(method) : `${methodName(method)} (currently unavailable)`,
  );
  return (
    <Facts
      facts={[
        ['Price', recurringText(plan)],
        ['First payment', initialText(plan)],
        ['Duration', paymentsText(plan.numPayments)],
        ['Invoice created', `${daysText(plan.invoiceNotice)} before the due date`],
        ['Paused', `${daysText(plan.gracePeriod)} after the due date, if unpaid`],
        ['Emails', plan.sendEmail ? 'Invoices and reminders are emailed to customers' : 'Not sent'],
        ['Payment methods', named.length === 0 ? 'All available methods' : named.join(', ')],
        ['Items', orders.length > 0 && <OrderList orders={orders} currency={currency} />],
        ['Created', <Moment key="made" at={plan.createdAt} form="long" />],
      ]}
    />
  );
}

/** Those that show what is wrong with them. */
const fields = ['customer', 'notifyPayload', 'redirectUrl'];

/** Makes an address by which customers enrol into the plan. */
function NewSubscriptionLink({ plan }: { plan: PlanRow }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>New link</Button>
      <MakeDialog<string>
        opened={opened}
        onClose={dialog.close}
        title={`Link to ${plan.name}`}
        madeTitle="The link is ready"
        form={(made) => <LinkForm planId={plan.id} onMade={made} />}
      >
        {(url, close) => <MadeLink url={url} onClose={close} />}
      </MakeDialog>
    </>
  );
}

function LinkForm({ planId, onMade }: { planId: string; onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSubscriptionLinkMutation);
  const outcome = useOutcome(fields);
  const { faultOf } = outcome;
  const submit = async (form: FormData) => {
    const [email, notifyPayload] = [textOf(form, 'email'), textOf(form, 'reference')];
    const redirectUrl = textOf(form, 'redirectUrl');
    const answer = await create({
      input: {
        subscriptionPlanId: planId,
        ...(email && { customer: { email } }),
        ...(notifyPayload && { notifyPayload }),
        ...(redirectUrl && { redirectUrl }),
      },
    });
    outcome.take(answer);
    const result = answer.data?.createSubscriptionLink;
    if (result?.__typename === 'CreateSubscriptionLinkSuccess') onMade(result.subscriptionLink);
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">Any number of customers can enrol with this link while the plan is open.</Text>
      <TextInput
        label="Customer email"
        description="Prefilled for the customer. Leave empty for a link that anyone can use."
        name="email"
        type="email"
        error={faultOf('customer')}
        data-autofocus
      />
      <TextInput
        label="Your reference"
        description="Included in notifications of every charge"
        name="reference"
        maxLength={4096}
        error={faultOf('notifyPayload')}
      />
      <TextInput
        label="Return URL"
        description="Opened by the button after payment"
        name="redirectUrl"
        type="url"
        error={faultOf('redirectUrl')}
      />
      <Submit isBusy={fetching}>Create link</Submit>
    </Form>
  );
}
