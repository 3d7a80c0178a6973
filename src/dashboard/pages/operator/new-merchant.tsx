import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { createMerchantMutation } from './merchants-query.ts';

export function NewMerchant() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>New merchant</Button>
      <Modal opened={opened} onClose={close} title="Open an account" centered>
        <Form />
      </Modal>
    </>
  );
}

function Form() {
  const [{ fetching }, create] = useMutation(createMerchantMutation);
  const [, go] = useLocation();
  const { form: ref, refusal, faults, take } = useOutcome(['name', 'ownerEmail']);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = { name: String(form.get('name')), ownerEmail: String(form.get('ownerEmail')) };
    const outcome = await create({ input });
    take(outcome);
    const answer = outcome.data?.createMerchant;
    if (answer?.__typename === 'CreateMerchantSuccess') go(`/merchants/${answer.merchant.id}`);
  };
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack>
        <Refused text={refusal} />
        <TextInput
          label="Name"
          name="name"
          description="What customers see"
          maxLength={140}
          error={faults.name}
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          label="E-mail of the first owner"
          name="ownerEmail"
          type="email"
          error={faults.ownerEmail}
          required
          withAsterisk={false}
        />
        <Text size="sm" c="var(--causeway-muted)">
          They are invited by mail, set their password, and make the account’s keys.
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Open the account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
