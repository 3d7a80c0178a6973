import { Group, Stack } from '@mantine/core';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useEvery } from '../../graphql/use-every.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Address } from '../../parts/address.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MailNotice } from '../../parts/mail-notice.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { Section } from '../../parts/section.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useIsOwner, useViewer } from '../../viewer.ts';
import { InvitationTable } from './invitation-table.tsx';
import { InviteUser } from './invite-user.tsx';
import { ChangeRole, RemoveUser } from './user-actions.tsx';
import { invitationsQuery, type UserRow, usersQuery } from './users-query.ts';

/** Who belongs to the merchant, and who is invited. */
export default function UsersPage() {
  const isOwner = useIsOwner();
  if (isOwner) return <Users />;
  return (
    <>
      <PageHeader title="Users" />
      <Section title="All users" flush>
        <Empty title="For owners">Only an owner sees and changes who belongs to the account.</Empty>
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
        text="Who signs in to this dashboard, live and sandbox alike, and what each may do."
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
          <Section title="Invited" flush>
            <InvitationTable invitations={invitations.data} onChanged={invitations.refresh} />
          </Section>
        )}
      </Stack>
    </>
  );
}

const columns: Column<UserRow>[] = [
  {
    title: 'Who',
    cell: ({ name, email }) => (
      <TwoLines below={name === '' ? null : <Address>{email}</Address>} isName>
        {name === '' ? <Address>{email}</Address> : name}
      </TwoLines>
    ),
  },
  { title: 'Role', cell: ({ role }) => roleTexts[role].name },
  {
    title: 'Signs in',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'in two steps' : 'by password alone'),
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
    title: 'Change',
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
