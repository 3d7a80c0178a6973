import { Group, Text } from '@mantine/core';
import { formatAmount } from '../../format/amount.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { ShareLink } from '../../parts/share-link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMay } from '../../viewer.ts';
import { SessionFacts } from './session-facts.tsx';
import { isOpen } from './session-row.ts';
import {
  cancelSessionMutation,
  type SessionDetails,
  sessionQuery,
  sessionUpdated,
} from './sessions-query.ts';

/** One session: what is asked, and how far its customer has come. */
export default function SessionPage({ id }: { id: string }) {
  const read = useRead(sessionQuery, { id });
  useLive(sessionUpdated, { id }, read.refresh);
  return (
    <Loaded read={read} lines={8}>
      {({ session }) => (session ? <Details session={session} /> : <NoSuch noun="session" />)}
    </Loaded>
  );
}

function Details({ session }: { session: SessionDetails }) {
  const { amount, currency, status, id } = session;
  return (
    <>
      <BackLink to="/sessions">Sessions</BackLink>
      <PageHeader
        title={formatAmount(amount, currency)}
        noun="Session"
        badge={<StatusBadge status={status} />}
        text={<CopyText text={id} what="session id" />}
      >
        {isOpen(session) && <OpenActions session={session} />}
      </PageHeader>
      <Section title="Details">
        <SessionFacts session={session} />
      </Section>
    </>
  );
}

function OpenActions({ session: { id, checkoutUrl } }: { session: SessionDetails }) {
  const mayWrite = useMay('write');
  const cancel = useAct(cancelSessionMutation);
  return (
    <Group gap="sm">
      <ShareLink url={checkoutUrl} size="sm" />
      {mayWrite && (
        <ConfirmButton
          label="Cancel session"
          title="Cancel this session?"
          keep="Keep it"
          variant="default"
          isDanger
          onConfirm={() => cancel({ input: { id } })}
        >
          <Text size="sm">Whoever opens its address is told that it was cancelled. Nothing was charged.</Text>
        </ConfirmButton>
      )}
    </Group>
  );
}
