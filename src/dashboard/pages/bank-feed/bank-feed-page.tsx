import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { pluralize } from '../../format/count.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  type BankFeedDetails,
  bankFeedQuery,
  deleteBankFeedMutation,
  pollBankFeedMutation,
  updateBankFeedMutation,
} from './bank-feeds-query.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EditFeedDialog } from './edit-feed-dialog.tsx';
import {
  evidenceTexts,
  feedKindTexts,
  feedRefreshMs,
  formatDeliveryReason,
  trustTexts,
} from './feed-texts.ts';

/** Shows a bank feed: its health, its settings and its deliveries. */
export default function BankFeedPage({ id }: { id: string }) {
  const query = useCachedQuery(bankFeedQuery, { id });
  useInterval(feedRefreshMs, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ bankFeed }) =>
        bankFeed ? (
          <Details feed={bankFeed} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="bank feed" hint="It may have been deleted." />
        )
      }
    </Loaded>
  );
}

function Details({ feed, onChanged }: { feed: BankFeedDetails; onChanged: () => void }) {
  const canManage = useHasPermission('manage');
  return (
    <>
      <BackLink to="/bank-feeds">Bank feeds</BackLink>
      <PageHeader
        title={feed.name}
        objectType="Bank feed"
        badge={<StatusBadge status={`feed_${feed.status}`} />}
        text={<CopyText text={feed.id} label="feed id" />}
      >
        {canManage && <FeedActions feed={feed} onChanged={onChanged} />}
      </PageHeader>
      <Stack gap="lg">
        <Notices feed={feed} onChanged={onChanged} />
        <Section title="Details">
          <FeedFacts feed={feed} />
        </Section>
        <DeliveryLog feedId={feed.id} isPolled={feed.pull !== null} />
      </Stack>
    </>
  );
}

function Notices({ feed, onChanged }: { feed: BankFeedDetails; onChanged: () => void }) {
  const { confirmedAt, trust, lastError, failedDeliveryCount } = feed;
  const [reason = '', ...details] = (lastError ?? '').split(': ');
  return (
    <>
      {confirmedAt === null && (
        <Alert color="amber" variant="light" title="This feed is not confirmed">
          {trust === 'none'
            ? 'Enter the credentials of the bank’s API. Until then, transfers are shown but not recorded.'
            : 'Open a delivery, compare its transfers with your bank account, and confirm the feed. Until then, transfers are shown but not recorded.'}
        </Alert>
      )}
      {/* A new host key has a notice of its own. */}
      {lastError !== null && reason !== 'host_key_unapproved' && (
        <Alert
          color="red"
          variant="light"
          title={feed.pull ? 'The last poll or delivery failed' : 'The last delivery was not recorded'}
        >
          {formatDeliveryReason(reason, details.join(': ') || null)}
        </Alert>
      )}
      <HostKeyNotice feed={feed} onChanged={onChanged} />
      {failedDeliveryCount > 0 && (
        <Alert color="red" variant="light" title="Deliveries need attention">
          {pluralize(failedDeliveryCount, 'delivery', 'deliveries')} could not be recorded completely. Open
          them below, fix the cause, and process them again.
        </Alert>
      )}
    </>
  );
}

/** Asks to approve the key of an SFTP server that is new, or that differs from the approved one. */
function HostKeyNotice({ feed, onChanged }: { feed: BankFeedDetails; onChanged: () => void }) {
  const { id, pull } = feed;
  const canManage = useHasPermission('manage');
  const update = useMutationAction(updateBankFeedMutation, onChanged);
  const hostKey = pull?.presentedHostKey;
  if (hostKey == null || hostKey === pull?.hostKey) return null;
  return (
    <Alert color="amber" variant="light" title="Approve the host key of the server">
      <Stack gap="sm" align="flex-start">
        <span>
          The server presented this key. No file is fetched before you approve it:{' '}
          <CopyText text={hostKey} label="host key" />
        </span>
        {canManage && (
          <ConfirmButton
            label="Approve host key"
            title="Approve this host key?"
            variant="default"
            onConfirm={() => update({ input: { id, pull: { hostKey } } })}
          >
            <Text size="sm">Compare {hostKey} with the fingerprint that your bank published.</Text>
          </ConfirmButton>
        )}
      </Stack>
    </Alert>
  );
}

function FeedFacts({ feed }: { feed: BankFeedDetails }) {
  const { kind, url, trust, authentication, evidence, receivingAccounts, silenceMinutes, allowedAddresses } =
    feed;
  const { pull, lastSuccessAt, lastTransferAt, failingSince, lateSince } = feed;
  const toTime = (at: string | null) => at && <Moment at={at} format="long" />;
  return (
    <Facts
      facts={[
        ['Sender', feedKindTexts[kind]],
        ...(trust !== 'connection' || authentication === 'webhook'
          ? [['URL', <CopyText key="url" text={url} label="feed URL" />] as const]
          : []),
        ['Server', pull?.host && `${pull.host}:${pull.port ?? 22}`],
        ['Folder', pull?.folder],
        ['Host key', pull?.hostKey],
        ['Last poll', pull && (toTime(pull.lastPollAt) ?? 'None yet')],
        ['Next poll', pull && toTime(pull.nextPollAt)],
        [pull ? 'Last successful poll' : 'Last delivery', toTime(lastSuccessAt) ?? 'None yet'],
        ['Last transfer', toTime(lastTransferAt)],
        ['Failing since', toTime(failingSince)],
        ['Late since', toTime(lateSince)],
        ['Alert after silence', silenceMinutes === null ? 'Learned' : pluralize(silenceMinutes, 'minute')],
        ['Authentication', trustTexts[trust]],
        ['Support', evidenceTexts[evidence]],
        ['Allowed IP addresses', allowedAddresses.join(', ') || (pull ? null : 'Any')],
        [
          'Receiving accounts',
          <Stack key="accounts" gap={2}>
            {receivingAccounts.map(({ receivingAccount, bankAccount }) => (
              <span key={receivingAccount.id}>
                <Link to={`/receiving-accounts/${receivingAccount.id}`}>{receivingAccount.account}</Link>
                {bankAccount !== null && ` as ${bankAccount}`}
              </span>
            ))}
          </Stack>,
        ],
      ]}
    />
  );
}

function FeedActions({ feed, onChanged }: { feed: BankFeedDetails; onChanged: () => void }) {
  const { id, status } = feed;
  const [isEditing, dialog] = useDisclosure();
  const [, navigate] = useLocation();
  const update = useMutationAction(updateBankFeedMutation, onChanged);
  const remove = useMutationAction(deleteBankFeedMutation, () => navigate('/bank-feeds'));
  const poll = useMutationAction(pollBankFeedMutation, onChanged);
  const isPaused = status === 'paused';
  return (
    <>
      {feed.pull && !isPaused && (
        <ConfirmButton
          label="Poll now"
          title="Poll this feed now?"
          variant="default"
          onConfirm={() => poll({ input: { id } })}
        >
          <Text size="sm">New transactions are fetched within seconds.</Text>
        </ConfirmButton>
      )}
      <Button variant="default" onClick={dialog.open}>
        Edit
      </Button>
      <ConfirmButton
        label={isPaused ? 'Resume' : 'Pause'}
        title={isPaused ? 'Resume this feed?' : 'Pause this feed?'}
        variant="default"
        onConfirm={() => update({ input: { id, isPaused: !isPaused } })}
      >
        <Text size="sm">
          {isPaused
            ? 'Deliveries that arrived during the pause will be recorded now.'
            : 'Deliveries are still accepted and stored. They are recorded when you resume the feed.'}
        </Text>
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        title="Delete this feed?"
        confirmLabel="Delete feed"
        variant="default"
        isDanger
        onConfirm={() => remove({ input: { id } })}
      >
        <Text size="sm">
          Its URL rejects further deliveries, and its keys are deleted. Recorded transfers are kept.
        </Text>
      </ConfirmButton>
      <EditFeedDialog opened={isEditing} feed={feed} onClose={dialog.close} onSaved={onChanged} />
    </>
  );
}
