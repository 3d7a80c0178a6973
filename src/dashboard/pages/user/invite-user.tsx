import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
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
      <Dialog opened={opened} onClose={close} title="Invite somebody">
        <InvitationForm onInvited={invited} />
      </Dialog>
    </>
  );
}

function InvitationForm({ onInvited }: { onInvited: () => void }) {
  const [{ fetching }, invite] = useMutation(inviteMutation);
  const [role, setRole] = useState<UserRole>('support');
  const outcome = useOutcome(['email']);
  const submit = async (form: FormData) => {
    const email = String(form.get('email'));
    if (outcome.take(await invite({ input: { email, role } }))) onInvited();
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        error={outcome.faults.email}
        required
        withAsterisk={false}
        data-autofocus
      />
      <RoleChoice role={role} onChange={setRole} />
      <Text size="sm" c="var(--causeway-muted)">
        They get a mail with a link that works once, for seven days.
      </Text>
      <Submit isBusy={fetching}>Send the invitation</Submit>
    </Form>
  );
}
