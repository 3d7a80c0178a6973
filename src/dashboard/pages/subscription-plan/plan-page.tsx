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

function PlanFacts({ plan }: { plan: PlanRow }) {
  const methodName = useMethodName();
  const { orders, methods, namedMethods, currency } = plan;
  const named = namedMethods.map((method) =>
    methods.includes(method) ? methodName(method) : `${methodName(method)} (cannot be received on now)`,
  );
  return (
    <Facts
      facts={[
        ['Paid', recurringText(plan)],
        ['First payment', initialText(plan)],
        ['Runs for', paymentsText(plan.numPayments)],
        ['Invoice made', `${daysText(plan.invoiceNotice)} before it is due`],
        ['Paused', `${daysText(plan.gracePeriod)} after the due date, when unpaid`],
        ['Mails', plan.sendEmail ? 'Invoices and reminders are mailed to customers' : 'None are sent'],
        ['Methods', named.length === 0 ? 'All of yours' : named.join(', ')],
        ['For', orders.length > 0 && <OrderList orders={orders} currency={currency} />],
        ['Made', <Moment key="made" at={plan.createdAt} form="long" />],
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
      <Text size="sm">Any number of customers can enrol by it, for as long as the plan is open.</Text>
      <TextInput
        label="Customer’s e-mail"
        description="Filled in beforehand; leave it empty for a link for all"
        name="email"
        type="email"
        error={faultOf('customer')}
        data-autofocus
      />
      <TextInput
        label="Your reference"
        description="Comes back in notifications of every charge"
        name="reference"
        maxLength={4096}
        error={faultOf('notifyPayload')}
      />
      <TextInput
        label="Leads back to"
        description="An address for the button after payment"
        name="redirectUrl"
        type="url"
        error={faultOf('redirectUrl')}
      />
      <Submit isBusy={fetching}>Make link</Submit>
    </Form>
  );
}
