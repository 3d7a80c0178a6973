import { Group, Text } from '@mantine/core';
import { useMutation, useQuery } from 'urql';
import { formatAmount } from '../../format/amount.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { useLive } from '../../graphql/use-live.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { ShareLink } from '../../parts/share-link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
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
  const [{ data, error }, reload] = useQuery({ query: sessionQuery, variables: { id } });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(sessionUpdated, { id }, refresh);
  return (
    <Loaded data={data} error={error} onRetry={refresh} lines={8}>
      {({ session }) => (session ? <Details session={session} /> : <NoSuch noun="session" />)}
    </Loaded>
  );
}

function Details({ session }: { session: SessionDetails }) {
  const { amount, currency, status, id } = session;
  return (
    <>
      <Link to="/sessions" size="sm">
        ‹ Sessions
      </Link>
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
  const [, cancel] = useMutation(cancelSessionMutation);
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
          onConfirm={async () => refusalOf(await cancel({ id }))}
        >
          <Text size="sm">Whoever opens its address is told that it was cancelled. Nothing was charged.</Text>
        </ConfirmButton>
      )}
    </Group>
  );
}
