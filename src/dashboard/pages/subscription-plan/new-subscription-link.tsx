import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { Form, Submit, textOf } from '../../parts/form.tsx';
import { MadeLink } from '../../parts/made-link.tsx';
import { MakeDialog } from '../../parts/make-dialog.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import type { PlanRow } from './plan-row.ts';
import { createSubscriptionLinkMutation } from './plans-query.ts';

/** Those that show what is wrong with them. */
const fields = ['customer', 'notifyPayload', 'redirectUrl'];

/** Makes an address by which customers enrol into the plan. */
export function NewSubscriptionLink({ plan }: { plan: PlanRow }) {
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
