import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Address } from '../../components/address.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { Form, Submit } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MailNotice } from '../../components/mail-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { Section } from '../../components/section.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { useAct } from '../../components/use-act.ts';
import { useCursor } from '../../components/use-cursor.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useEvery } from '../../graphql/use-every.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useIsOwner, useViewer } from '../../viewer.ts';
import { InvitationTable } from './invitation-table.tsx';
import {
  invitationsQuery,
  inviteMutation,
  removeUserMutation,
  type UserRole,
  type UserRow,
  updateUserMutation,
  usersQuery,
} from './users-query.ts';

/** Who belongs to the merchant, and who is invited. */
export default function UsersPage() {
  const isOwner = useIsOwner();
  if (isOwner) return <Users />;
  return (
    <>
      <PageHeader title="Users" />
      <Section title="All users" flush>
        <Empty title="Owners only">Only owners can view and manage users.</Empty>
      </Section>
    </>
  );
}

const invitationsOf = (data: ResultOf<typeof invitationsQuery>) => data.userInvitations;

function Users() {
  const { merchant } = useViewer();
  const cursor = useCursor();
  const read = useRead(usersQuery, cursor.variables);
  const invitations = useEvery(invitationsQuery, invitationsOf);
  return (
    <>
      <PageHeader
        title="Users"
        text="People who can sign in to this dashboard, in live and sandbox mode, and their roles."
      >
        <InviteUser onInvited={invitations.refresh} />
      </PageHeader>
      {!merchant?.demo && <MailNotice />}
      <Stack gap="lg">
        <Section title="All users" flush>
          <Loaded read={read} lines={6}>
            {({ users }) => (
              <>
                <DataTable label="Users" columns={[...columns, actions(read.refresh)]} rows={users.nodes} />
                <Pager cursor={cursor} pageInfo={users.pageInfo} />
              </>
            )}
          </Loaded>
        </Section>
        {invitations.error && <Failure error={invitations.error} onRetry={invitations.refresh} />}
        {invitations.data !== undefined && invitations.data.length > 0 && (
          <Section title="Invitations" flush>
            <InvitationTable invitations={invitations.data} onChanged={invitations.refresh} />
          </Section>
        )}
      </Stack>
    </>
  );
}

const columns: Column<UserRow>[] = [
  {
    title: 'User',
    cell: ({ name, email }) => (
      <TwoLines below={name === '' ? null : <Address>{email}</Address>} isName>
        {name === '' ? <Address>{email}</Address> : name}
      </TwoLines>
    ),
  },
  { title: 'Role', cell: ({ role }) => roleTexts[role].name },
  {
    title: 'Sign-in',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Two-factor: On' : 'Two-factor: Off'),
  },
  {
    title: 'Last seen',
    end: true,
    cell: ({ lastSeenAt }) => (
      <Quiet>{lastSeenAt === null ? 'Signed out' : <Moment at={lastSeenAt} />}</Quiet>
    ),
  },
];

function actions(onChanged: () => void): Column<UserRow> {
  return {
    title: 'Actions',
    end: true,
    buttons: true,
    cell: (user) => (
      <Group gap="xs" justify="flex-end">
        <ChangeRole user={user} onChanged={onChanged} />
        <RemoveUser user={user} onChanged={onChanged} />
      </Group>
    ),
  };
}

type Props = { user: UserRow; onChanged: () => void };

function ChangeRole({ user: { id, email, role }, onChanged }: Props) {
  const update = useAct(updateUserMutation, onChanged);
  const [chosen, setChosen] = useState(role);
  return (
    <ConfirmButton
      label="Change role"
      title={`Change the role of ${email}`}
      size="xs"
      variant="default"
      onConfirm={() => update({ input: { id, role: chosen } })}
    >
      <RoleChoice role={chosen} onChange={setChosen} />
    </ConfirmButton>
  );
}

function RemoveUser({ user: { id, email }, onChanged }: Props) {
  const remove = useAct(removeUserMutation, onChanged);
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${email}?`}
      confirm="Remove user"
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { id } })}
    >
      <Text size="sm">
        They’ll be signed out everywhere immediately. Their actions stay in the audit log. You can invite them
        again.
      </Text>
    </ConfirmButton>
  );
}

function InviteUser({ onInvited }: { onInvited: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const invited = () => {
    close();
    onInvited();
  };
  return (
    <>
      <Button onClick={open}>Invite user</Button>
      <Dialog opened={opened} onClose={close} title="Invite user">
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
        label="Email"
        name="email"
        type="email"
        error={outcome.faults.email}
        required
        withAsterisk={false}
        data-autofocus
      />
      <RoleChoice role={role} onChange={setRole} />
      <Text size="sm" c="var(--causeway-muted)">
        They’ll receive an email with a link that works once and expires in seven days.
      </Text>
      <Submit isBusy={fetching}>Send invitation</Submit>
    </Form>
  );
}

const roles = ['owner', 'developer', 'support'] as const satisfies UserRole[];

/** The roles a merchant gives, each with what it is for. */
function RoleChoice({ role, onChange }: { role: UserRole; onChange: (role: UserRole) => void }) {
  return (
    <Radio.Group label="Role" value={role} onChange={(value) => onChange(value as UserRole)}>
      <Stack gap="xs" mt={6}>
        {roles.map((one) => (
          <Radio key={one} value={one} label={`${roleTexts[one].name}: ${roleTexts[one].text}`} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
