import { Badge, Group, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Section } from '../../components/section.tsx';
import { RowName, TwoLines } from '../../components/two-lines.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
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
      title={t.account.activeSessions}
      aside={
        <Group gap="xs">
          {sessions.length > 1 && (
            <ConfirmButton
              label={t.account.signOutOtherSessions}
              title={t.account.signOutOfAll}
              size="xs"
              variant="default"
              onConfirm={() => signOut({ input: { keepCurrent: true } })}
            >
              <Text size="sm">{t.account.youllStaySignedIn}</Text>
            </ConfirmButton>
          )}
          <ConfirmButton
            label={t.account.signOutEverywhere}
            title={t.account.signOutEverywhereTitle}
            size="xs"
            variant="default"
            onConfirm={() => signOut({ input: { keepCurrent: false } })}
          >
            <Text size="sm">{t.account.thisIncludesYourCurrent}</Text>
          </ConfirmButton>
        </Group>
      }
      isFlush
    >
      <DataTable
        label={t.account.activeSessions}
        columns={[...columns, actionsColumn(onChanged)]}
        rows={sessions}
      />
    </Section>
  );
}

const columns: TableColumn<UserSession>[] = [
  {
    title: t.account.device,
    cell: ({ device, isCurrent }) => (
      <Group gap="xs">
        <RowName>{device}</RowName>
        {isCurrent && (
          <Badge variant="light" tt="none">
            {t.account.currentSession}
          </Badge>
        )}
      </Group>
    ),
  },
  { title: t.account.ipAddress, cell: ({ ipAddress }) => ipAddress ?? t.common.unknown },
  {
    title: t.account.lastSeen,
    cell: ({ lastSeenAt, createdAt }) => (
      <TwoLines below={fillNodes(t.account.signedIn, { moment: <Moment at={createdAt} /> })}>
        {fillNodes(t.account.seen, { moment: <Moment at={lastSeenAt} /> })}
      </TwoLines>
    ),
  },
];

function actionsColumn(onChanged: () => void): TableColumn<UserSession> {
  return {
    title: t.common.actions,
    isEndAligned: true,
    cell: (session) => <EndUserSession session={session} onEnded={onChanged} />,
  };
}

function EndUserSession({ session, onEnded }: { session: UserSession; onEnded: () => void }) {
  const endUserSession = useMutationAction(endUserSessionMutation, onEnded);
  return (
    <ConfirmButton
      label={t.account.end}
      name={fillText(t.account.endDevice, { device: session.device })}
      title={t.account.endThisSession}
      confirmLabel={t.account.endSession}
      cancelLabel={t.account.keepSession}
      size="xs"
      variant="default"
      isDanger
      onConfirm={() => endUserSession({ input: { id: session.id } })}
    >
      <Text size="sm">
        {session.isCurrent
          ? t.account.youllBeSignedOut
          : fillText(t.account.willBeSignedOut, { device: session.device })}
      </Text>
    </ConfirmButton>
  );
}
