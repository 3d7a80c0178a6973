import { Badge, Group, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Section } from '../../components/section.tsx';
import { RowName, TwoLines } from '../../components/two-lines.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { type AccountViewer, endUserSessionMutation, signOutEverywhereMutation } from './account-query.ts';

type UserSession = AccountViewer['sessions'][number];

export function Sessions({
  sessions,
  onChanged,
}: {
  sessions: readonly UserSession[];
  onChanged: () => void;
}) {
  const signOut = useMutationAction(signOutEverywhereMutation, onChanged);
  return (
    <Section
      title="Active sessions"
      aside={
        <Group gap="xs">
          {sessions.length > 1 && (
            <ConfirmButton
              label="Sign out other sessions"
              title="Sign out of all other sessions?"
              size="xs"
              variant="default"
              onConfirm={() => signOut({ input: { keepCurrent: true } })}
            >
              <Text size="sm">You’ll stay signed in here.</Text>
            </ConfirmButton>
          )}
          <ConfirmButton
            label="Sign out everywhere"
            title="Sign out everywhere?"
            size="xs"
            variant="default"
            onConfirm={() => signOut({ input: { keepCurrent: false } })}
          >
            <Text size="sm">This includes your current session. You’ll need to sign in again.</Text>
          </ConfirmButton>
        </Group>
      }
      isFlush
    >
      <DataTable label="Sessions" columns={[...columns, actionsColumn(onChanged)]} rows={sessions} />
    </Section>
  );
}

const columns: TableColumn<UserSession>[] = [
  {
    title: 'Device',
    cell: ({ device, isCurrent }) => (
      <Group gap="xs">
        <RowName>{device}</RowName>
        {isCurrent && (
          <Badge variant="light" tt="none">
            Current session
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'IP address', cell: ({ ipAddress }) => ipAddress ?? 'Unknown' },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt, createdAt }) => (
      <TwoLines
        below={
          <>
            Signed in <Moment at={createdAt} />
          </>
        }
      >
        Seen <Moment at={lastSeenAt} />
      </TwoLines>
    ),
  },
];

function actionsColumn(onChanged: () => void): TableColumn<UserSession> {
  return {
    title: 'Actions',
    isEndAligned: true,
    cell: (session) => <EndUserSession session={session} onEnded={onChanged} />,
  };
}

function EndUserSession({ session, onEnded }: { session: UserSession; onEnded: () => void }) {
  const endUserSession = useMutationAction(endUserSessionMutation, onEnded);
  return (
    <ConfirmButton
      label="End"
      name={`End ${session.device}`}
      title="End this session?"
      confirmLabel="End session"
      cancelLabel="Keep session"
      size="xs"
      variant="default"
      isDanger
      onConfirm={() => endUserSession({ input: { id: session.id } })}
    >
      <Text size="sm">
        {session.isCurrent
          ? 'You’ll be signed out here and need to sign in again.'
          : `${session.device} will be signed out immediately.`}
      </Text>
    </ConfirmButton>
  );
}
