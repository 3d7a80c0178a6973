import { Badge, Group, Stack, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { endSessionMutation, type Me, signOutEverywhereMutation } from './account-query.ts';

type Session = Me['sessions'][number];

/** Where one is signed in. */
export function Sessions({ sessions, onChanged }: { sessions: readonly Session[]; onChanged: () => void }) {
  const [, signOut] = useMutation(signOutEverywhereMutation);
  const end = async (keepThis: boolean) => {
    const refused = refusalOf(await signOut({ input: { keepThis } }));
    if (refused === undefined) onChanged();
    return refused;
  };
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
              onConfirm={() => end(true)}
            >
              <Text size="sm">Only here you stay signed in.</Text>
            </ConfirmButton>
          )}
          <ConfirmButton
            label="Sign out everywhere"
            title="Sign out everywhere?"
            size="xs"
            variant="default"
            onConfirm={() => end(false)}
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
        <Text size="sm" fw={600} span>
          {device}
        </Text>
        {isCurrent && (
          <Badge variant="light" tt="none">
            Here
          </Badge>
        )}
      </Group>
    ),
  },
  {
    title: 'From',
    cell: ({ address }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
        {address ?? 'not noted'}
      </Text>
    ),
  },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt, createdAt }) => (
      <Stack gap={0}>
        <Text size="sm" span>
          Seen <Moment at={lastSeenAt} />
        </Text>
        <Text size="xs" c="var(--causeway-muted)" span>
          Signed in <Moment at={createdAt} />
        </Text>
      </Stack>
    ),
  },
];

function ending(onChanged: () => void): Column<Session> {
  return { title: 'End', end: true, cell: (session) => <End session={session} onEnded={onChanged} /> };
}

function End({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const [, endSession] = useMutation(endSessionMutation);
  const end = async () => {
    const refused = refusalOf(await endSession({ input: { id: session.id } }));
    if (refused === undefined) onEnded();
    return refused;
  };
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
      onConfirm={end}
    >
      <Text size="sm">
        {session.isCurrent
          ? 'You are signed out here, and sign in again to go on.'
          : `${session.device} is signed out at once.`}
      </Text>
    </ConfirmButton>
  );
}
