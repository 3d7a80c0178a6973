import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { MadeLink } from '../../parts/made-link.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import type { PlanRow } from './plan-row.ts';
import { createSubscriptionLinkMutation } from './plans-query.ts';

/** Those that show what is wrong with them. */
const fields = ['customer', 'notifyPayload', 'redirectUrl'];

/** Makes an address by which customers enrol into the plan. */
export function NewSubscriptionLink({ plan }: { plan: PlanRow }) {
  const [opened, dialog] = useDisclosure();
  const [url, setUrl] = useState<string>();
  const close = () => {
    dialog.close();
    setUrl(undefined);
  };
  return (
    <>
      <Button onClick={dialog.open}>New link</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={url === undefined ? `Link to ${plan.name}` : 'The link is ready'}
        centered
      >
        {url === undefined ? (
          <Form planId={plan.id} onMade={setUrl} />
        ) : (
          <MadeLink url={url} onClose={close} />
        )}
      </Modal>
    </>
  );
}

function Form({ planId, onMade }: { planId: string; onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSubscriptionLinkMutation);
  const { form: ref, refusal, faultOf, take } = useOutcome(fields);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const outcome = await create({
      input: {
        subscriptionPlanId: planId,
        ...(text('email') && { customer: { email: text('email') } }),
        ...(text('reference') && { notifyPayload: text('reference') }),
        ...(text('redirectUrl') && { redirectUrl: text('redirectUrl') }),
      },
    });
    take(outcome);
    const result = outcome.data?.createSubscriptionLink;
    if (result?.__typename === 'CreateSubscriptionLinkSuccess') onMade(result.subscriptionLink);
  };
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack>
        <Text size="sm">Any number of customers can enrol by it, for as long as the plan is open.</Text>
        <Refused text={refusal} />
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
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Make link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
