import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useViewer } from '../../viewer.ts';
import { InvitationTable } from './invitation-table.tsx';
import { InviteUser } from './invite-user.tsx';
import { ChangeRole, RemoveUser } from './user-actions.tsx';
import { type UserRow, usersQuery } from './users-query.ts';

/** Who belongs to the merchant, and who is invited. */
export default function UsersPage() {
  const isOwner = useViewer().user.role === 'owner';
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

function Users() {
  const cursor = useCursor();
  const [{ data, error }, reload] = useQuery({ query: usersQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title="Users"
        text="Who signs in to this dashboard, live and sandbox alike, and what each may do."
      >
        <InviteUser onInvited={refresh} />
      </PageHeader>
      <Loaded data={data} error={error} onRetry={refresh} lines={6}>
        {({ users, userInvitations }) => (
          <Stack gap="lg">
            <Section title="All users" flush>
              <DataTable label="Users" columns={[...columns, actions(refresh)]} rows={users.nodes} />
              <Pager cursor={cursor} pageInfo={users.pageInfo} />
            </Section>
            {userInvitations.nodes.length > 0 && (
              <Section title="Invited" flush>
                <InvitationTable invitations={userInvitations.nodes} onChanged={refresh} />
              </Section>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

const columns: Column<UserRow>[] = [
  {
    title: 'Who',
    cell: ({ name, email }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} span>
          {name === '' ? email : name}
        </Text>
        {name !== '' && (
          <Text size="xs" c="var(--causeway-muted)" style={{ overflowWrap: 'anywhere' }} span>
            {email}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'Role',
    cell: ({ role }) => (
      <Text size="sm" span>
        {roleTexts[role].name}
      </Text>
    ),
  },
  {
    title: 'Signs in',
    cell: ({ hasSecondFactor }) => (
      <Text size="sm" span>
        {hasSecondFactor ? 'in two steps' : 'by password alone'}
      </Text>
    ),
  },
  {
    title: 'Last seen',
    end: true,
    cell: ({ lastSeenAt }) => (
      <Text size="sm" c="var(--causeway-muted)" span>
        {lastSeenAt === null ? 'Signed out' : <Moment at={lastSeenAt} />}
      </Text>
    ),
  },
];

function actions(onChanged: () => void): Column<UserRow> {
  return {
    title: 'Change',
    end: true,
    cell: (user) => (
      <Group gap="xs" justify="flex-end">
        <ChangeRole user={user} onChanged={onChanged} />
        <RemoveUser user={user} onChanged={onChanged} />
      </Group>
    ),
  };
}
