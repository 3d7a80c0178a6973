import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isMailDelivered, MailNotice } from '../../components/mail-notice.tsx';
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
import { serverNow } from '../../graphql/server-clock.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useIsOwner, useViewer } from '../../viewer.ts';
import { type InvitationLink, InvitationLinkNotice } from './invitation-link-notice.tsx';
import { InvitationTable } from './invitation-table.tsx';
import {
  type InvitationRow,
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
      <PageHeader title={t.user.users} />
      <Section title={t.user.allUsers} isFlush>
        <EmptyState title={t.common.ownersOnly}>{t.user.onlyOwnersCanView}</EmptyState>
      </Section>
    </>
  );
}

const refreshMs = 5_000;

const getInvitations = (data: ResultOf<typeof invitationsQuery>) => data.userInvitations;

function UsersSection() {
  const cursor = useCursor();
  const query = useCachedQuery(usersQuery, cursor.variables);
  const invitations = useAllPages(invitationsQuery, getInvitations);
  const [link, setLink] = useState<InvitationLink>();
  const refresh = () => {
    query.refresh();
    invitations.refresh();
  };
  // Invited users accept at any time.
  const canBeAccepted = (invitation: InvitationRow) =>
    Date.parse(invitation.expiresAt) > serverNow().getTime();
  useInterval(invitations.data?.some(canBeAccepted) ? refreshMs : null, refresh);
  const handleInvited = (created: InvitationLink) => {
    setLink(created);
    refresh();
  };
  return (
    <>
      <PageHeader title={t.user.users} text={t.user.peopleWhoCanSign}>
        <InviteUser onInvited={handleInvited} />
      </PageHeader>
      <MailNotice />
      <Stack gap="lg">
        {link && <InvitationLinkNotice {...link} />}
        <Section title={t.user.allUsers} isFlush>
          <Loaded query={query} lines={6}>
            {({ users, owners }) => (
              <>
                <DataTable
                  label={t.user.users}
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
          <Section title={t.user.invitations} isFlush>
            <InvitationTable
              invitations={invitations.data}
              onChanged={invitations.refresh}
              onLink={setLink}
            />
          </Section>
        )}
      </Stack>
    </>
  );
}

const columns: TableColumn<UserRow>[] = [
  {
    title: t.user.user,
    cell: (user) => <UserName user={user} />,
  },
  { title: t.user.role, cell: ({ role }) => roleTexts[role].name },
  {
    title: t.user.signIn,
    cell: ({ hasTwoFactor }) => (hasTwoFactor ? t.user.twoFactorOn : t.user.twoFactorOff),
  },
  {
    title: t.user.lastSeen,
    isEndAligned: true,
    cell: ({ lastSeenAt }) => (
      <Muted>{lastSeenAt === null ? t.user.signedOut : <Moment at={lastSeenAt} />}</Muted>
    ),
  },
];

function UserName({ user: { id, name, email } }: { user: UserRow }) {
  const { user: viewer } = useViewer();
  const user = name === null ? <EmailAddress>{email}</EmailAddress> : name;
  return (
    <TwoLines below={name === null ? null : <EmailAddress>{email}</EmailAddress>} isBold>
      {viewer.id === id ? fillNodes(t.user.userYou, { user }) : user}
    </TwoLines>
  );
}

function actionsColumn(ownerCount: number, onChanged: () => void): TableColumn<UserRow> {
  return {
    title: t.common.actions,
    isEndAligned: true,
    hasButtons: true,
    cell: (user) =>
      user.role === 'owner' && ownerCount === 1 ? (
        <Muted>{t.user.theLastOwnerStays}</Muted>
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
  const isViewer = useViewer().user.id === id;
  return (
    <ConfirmButton
      label={t.user.changeRole}
      title={fillText(t.user.changeTheRoleOf, { email })}
      size="xs"
      variant="default"
      onConfirm={(form) => update({ input: { id, role: getRole(form) } })}
    >
      {isViewer && <Text size="sm">{t.user.thisIsYourOwn}</Text>}
      <RoleRadioGroup defaultRole={role} />
    </ConfirmButton>
  );
}

function RemoveUser({ user: { id, email }, onChanged }: UserActionsProps) {
  const remove = useMutationAction(removeUserMutation, onChanged);
  const isViewer = useViewer().user.id === id;
  return (
    <ConfirmButton
      label={t.common.remove}
      title={isViewer ? t.user.removeYourself : fillText(t.user.remove, { email })}
      confirmLabel={t.user.removeUser}
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { id } })}
    >
      <Text size="sm">
        {fillText(t.user.actionsStayInThe, {
          consequence: isViewer ? t.user.youllBeSignedOut : t.user.theyllBeSignedOut,
        })}
      </Text>
    </ConfirmButton>
  );
}

function InviteUser({ onInvited }: { onInvited: (link: InvitationLink) => void }) {
  const [opened, { open, close }] = useDisclosure();
  const handleInvited = (link: InvitationLink) => {
    close();
    onInvited(link);
  };
  return (
    <>
      <Button onClick={open}>{t.user.inviteUser}</Button>
      <Dialog opened={opened} onClose={close} title={t.user.inviteUser}>
        <InvitationForm onInvited={handleInvited} />
      </Dialog>
    </>
  );
}

function InvitationForm({ onInvited }: { onInvited: (link: InvitationLink) => void }) {
  const [{ fetching }, invite] = useMutation(inviteUserMutation);
  const formState = useFormState(['email']);
  const submit = async (form: FormData) => {
    const email = String(form.get('email'));
    const response = await invite({ input: { email, role: getRole(form) } });
    const result = response.data?.inviteUser;
    if (formState.handleResult(response) && result?.__typename === 'InviteUserSuccess')
      onInvited({ email, url: result.invitationUrl });
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label={t.common.email}
        name="email"
        type="email"
        error={formState.fieldErrors.email}
        required
        withAsterisk={false}
        data-autofocus
      />
      <RoleRadioGroup defaultRole="support" />
      <Text size="sm" c="var(--causeway-muted)">
        {isMailDelivered ? t.user.theyllReceiveAnEmail : t.user.youllGetALink}
      </Text>
      <SubmitButton isBusy={fetching}>
        {isMailDelivered ? t.user.sendInvitation : t.user.createInvitation}
      </SubmitButton>
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

const getRole = (form: FormData) => form.get('role') as UserRole;

function RoleRadioGroup({ defaultRole }: { defaultRole: UserRole }) {
  return (
    <Radio.Group label={t.user.role} name="role" defaultValue={defaultRole}>
      <Stack gap="xs" mt={6}>
        {roles.map((option) => (
          <Radio
            key={option}
            value={option}
            label={roleTexts[option].name}
            description={roleTexts[option].text}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
