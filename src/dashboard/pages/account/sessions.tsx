import { Badge, Group, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Section } from '../../components/section.tsx';
import { Name, TwoLines } from '../../components/two-lines.tsx';
import { useAct } from '../../components/use-act.ts';
import { endSessionMutation, type Me, signOutEverywhereMutation } from './account-query.ts';

type Session = Me['sessions'][number];

/** Where one is signed in. */
export function Sessions({ sessions, onChanged }: { sessions: readonly Session[]; onChanged: () => void }) {
  const signOut = useAct(signOutEverywhereMutation, onChanged);
  return (
    <Section
      title="Where you are signed in"
      aside={
        <Group gap="xs">
          {sessions.length > 1 && (
            <ConfirmButton
              label="Sign out elsewhere"
              title="Sign out everywhere else?"
              size="xs"
              variant="default"
              onConfirm={() => signOut({ input: { keepThis: true } })}
            >
              <Text size="sm">Only here you stay signed in.</Text>
            </ConfirmButton>
          )}
          <ConfirmButton
            label="Sign out everywhere"
            title="Sign out everywhere?"
            size="xs"
            variant="default"
            onConfirm={() => signOut({ input: { keepThis: false } })}
          >
            <Text size="sm">Here too: you sign in again afterwards.</Text>
          </ConfirmButton>
        </Group>
      }
      flush
    >
      <DataTable label="Sessions" columns={[...columns, ending(onChanged)]} rows={sessions} />
    </Section>
  );
}

const columns: Column<Session>[] = [
  {
    title: 'Device',
    cell: ({ device, isCurrent }) => (
      <Group gap="xs">
        <Name>{device}</Name>
        {isCurrent && (
          <Badge variant="light" tt="none">
            Here
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'From', cell: ({ address }) => address ?? 'not noted' },
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

function ending(onChanged: () => void): Column<Session> {
  return { title: 'End', end: true, cell: (session) => <End session={session} onEnded={onChanged} /> };
}

function End({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const endSession = useAct(endSessionMutation, onEnded);
  return (
    <ConfirmButton
      label="End"
      name={`End ${session.device}`}
      title="End this session?"
      confirm="End session"
      keep="Keep it"
      size="xs"
      variant="default"
      isDanger
      onConfirm={() => endSession({ input: { id: session.id } })}
    >
      <Text size="sm">
        {session.isCurrent
          ? 'You are signed out here, and sign in again to go on.'
          : `${session.device} is signed out at once.`}
      </Text>
    </ConfirmButton>
  );
}
