import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MailNotice } from '../../components/mail-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { Section } from '../../components/section.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useIsOwner, useViewer } from '../../viewer.ts';
import { InvitationTable } from './invitation-table.tsx';
import {
  invitationsQuery,
  inviteUserMutation,
  removeUserMutation,
  type UserRole,
  type UserRow,
  updateUserMutation,
  usersQuery,
} from './users-query.ts';

export default function UsersPage() {
  const isOwner = useIsOwner();
  if (isOwner) return <UsersSection />;
  return (
    <>
      <PageHeader title="Users" />
      <Section title="All users" isFlush>
        <EmptyState title="Owners only">Only owners can view and manage users.</EmptyState>
      </Section>
    </>
  );
}

const getInvitations = (data: ResultOf<typeof invitationsQuery>) => data.userInvitations;

function UsersSection() {
  const { merchant } = useViewer();
  const cursor = useCursor();
  const query = useCachedQuery(usersQuery, cursor.variables);
  const invitations = useAllPages(invitationsQuery, getInvitations);
  return (
    <>
      <PageHeader
        title="Users"
        text="People who can sign in to this dashboard, in live and sandbox mode, and their roles."
      >
        <InviteUser onInvited={invitations.refresh} />
      </PageHeader>
      {!merchant?.isDemo && <MailNotice />}
      <Stack gap="lg">
        <Section title="All users" isFlush>
          <Loaded query={query} lines={6}>
            {({ users, owners }) => (
              <>
                <DataTable
                  label="Users"
                  columns={[...columns, actionsColumn(owners.totalCount, query.refresh)]}
                  rows={users.nodes}
                />
                <Pager cursor={cursor} pageInfo={users.pageInfo} />
              </>
            )}
          </Loaded>
        </Section>
        {invitations.error && <LoadError error={invitations.error} onRetry={invitations.refresh} />}
        {invitations.data !== undefined && invitations.data.length > 0 && (
          <Section title="Invitations" isFlush>
            <InvitationTable invitations={invitations.data} onChanged={invitations.refresh} />
          </Section>
        )}
      </Stack>
    </>
  );
}

const columns: TableColumn<UserRow>[] = [
  {
    title: 'User',
    cell: (user) => <UserName user={user} />,
  },
  { title: 'Role', cell: ({ role }) => roleTexts[role].name },
  {
    title: 'Sign-in',
    cell: ({ hasTwoFactor }) => (hasTwoFactor ? 'Two-factor: On' : 'Two-factor: Off'),
  },
  {
    title: 'Last seen',
    isEndAligned: true,
    cell: ({ lastSeenAt }) => (
      <Muted>{lastSeenAt === null ? 'Signed out' : <Moment at={lastSeenAt} />}</Muted>
    ),
  },
];

function UserName({ user: { id, name, email } }: { user: UserRow }) {
  const { user: viewer } = useViewer();
  return (
    <TwoLines below={name === null ? null : <EmailAddress>{email}</EmailAddress>} isBold>
      {name === null ? <EmailAddress>{email}</EmailAddress> : name}
      {viewer.id === id && ' (you)'}
    </TwoLines>
  );
}

function actionsColumn(ownerCount: number, onChanged: () => void): TableColumn<UserRow> {
  return {
    title: 'Actions',
    isEndAligned: true,
    hasButtons: true,
    cell: (user) =>
      user.role === 'owner' && ownerCount === 1 ? (
        <Muted>The last owner stays. Make another user an owner first.</Muted>
      ) : (
        <Group gap="xs" justify="flex-end">
          <ChangeRole user={user} onChanged={onChanged} />
          <RemoveUser user={user} onChanged={onChanged} />
        </Group>
      ),
  };
}

type UserActionsProps = { user: UserRow; onChanged: () => void };

function ChangeRole({ user: { id, email, role }, onChanged }: UserActionsProps) {
  const update = useMutationAction(updateUserMutation, onChanged);
  const [newRole, setNewRole] = useState(role);
  const isViewer = useViewer().user.id === id;
  return (
    <ConfirmButton
      label="Change role"
      title={`Change the role of ${email}`}
      size="xs"
      variant="default"
      onConfirm={() => update({ input: { id, role: newRole } })}
    >
      {isViewer && (
        <Text size="sm">This is your own role. With another role, you can no longer open this page.</Text>
      )}
      <RoleRadioGroup role={newRole} onChange={setNewRole} />
    </ConfirmButton>
  );
}

function RemoveUser({ user: { id, email }, onChanged }: UserActionsProps) {
  const remove = useMutationAction(removeUserMutation, onChanged);
  const isViewer = useViewer().user.id === id;
  return (
    <ConfirmButton
      label="Remove"
      title={isViewer ? 'Remove yourself?' : `Remove ${email}?`}
      confirmLabel="Remove user"
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { id } })}
    >
      <Text size="sm">
        {isViewer
          ? 'You’ll be signed out everywhere immediately, and only another owner can invite you again. '
          : 'They’ll be signed out everywhere immediately. You can invite them again. '}
        Actions stay in the audit log.
      </Text>
    </ConfirmButton>
  );
}

function InviteUser({ onInvited }: { onInvited: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const handleInvited = () => {
    close();
    onInvited();
  };
  return (
    <>
      <Button onClick={open}>Invite user</Button>
      <Dialog opened={opened} onClose={close} title="Invite user">
        <InvitationForm onInvited={handleInvited} />
      </Dialog>
    </>
  );
}

function InvitationForm({ onInvited }: { onInvited: () => void }) {
  const [{ fetching }, invite] = useMutation(inviteUserMutation);
  const [role, setRole] = useState<UserRole>('support');
  const formState = useFormState(['email']);
  const submit = async (form: FormData) => {
    const email = String(form.get('email'));
    if (formState.handleResult(await invite({ input: { email, role } }))) onInvited();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label="Email"
        name="email"
        type="email"
        error={formState.fieldErrors.email}
        required
        withAsterisk={false}
        data-autofocus
      />
      <RoleRadioGroup role={role} onChange={setRole} />
      <Text size="sm" c="var(--causeway-muted)">
        They’ll receive an email with a link that works once and expires in seven days.
      </Text>
      <SubmitButton isBusy={fetching}>Send invitation</SubmitButton>
    </Form>
  );
}

const roles = [
  'owner',
  'developer',
  'accountant',
  'support',
  'cashier',
  'read_only',
] as const satisfies UserRole[];

/** Selects one of the roles that a merchant can assign. */
function RoleRadioGroup({ role, onChange }: { role: UserRole; onChange: (role: UserRole) => void }) {
  return (
    <Radio.Group label="Role" value={role} onChange={(value) => onChange(value as UserRole)}>
      <Stack gap="xs" mt={6}>
        {roles.map((option) => (
          <Radio key={option} value={option} label={`${roleTexts[option].name}: ${roleTexts[option].text}`} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
