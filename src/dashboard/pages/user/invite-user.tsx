import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { RoleChoice } from './role-choice.tsx';
import { inviteMutation, type UserRole } from './users-query.ts';

export function InviteUser({ onInvited }: { onInvited: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const invited = () => {
    close();
    onInvited();
  };
  return (
    <>
      <Button onClick={open}>Invite somebody</Button>
      <Modal opened={opened} onClose={close} title="Invite somebody" centered>
        <Form onInvited={invited} />
      </Modal>
    </>
  );
}

function Form({ onInvited }: { onInvited: () => void }) {
  const [{ fetching }, invite] = useMutation(inviteMutation);
  const [role, setRole] = useState<UserRole>('support');
  const { form, refusal, faults, take } = useOutcome(['email']);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email'));
    if (take(await invite({ input: { email, role } }))) onInvited();
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <Refused text={refusal} />
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          error={faults.email}
          required
          withAsterisk={false}
          data-autofocus
        />
        <RoleChoice role={role} onChange={setRole} />
        <Text size="sm" c="var(--causeway-muted)">
          They get a mail with a link that works once, for seven days.
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Send the invitation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
