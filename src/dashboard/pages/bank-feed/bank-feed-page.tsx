import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
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
import { formatList } from '../../format/list.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
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

export default function BankFeedPage({ id }: { id: string }) {
  const query = useCachedQuery(bankFeedQuery, { id });
  useInterval(feedRefreshMs, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ bankFeed }) =>
        bankFeed ? (
          <Details feed={bankFeed} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.bankFeed.feedNotFound} hint={t.bankFeed.itMayHaveBeen} />
        )
      }
    </Loaded>
  );
}

function Details({ feed, onChanged }: { feed: BankFeedDetails; onChanged: () => void }) {
  const canManage = useHasPermission('manage');
  return (
    <>
      <BackLink to="/bank-feeds">{t.common.bankFeeds}</BackLink>
      <PageHeader
        title={feed.name}
        objectType={t.bankFeed.bankFeed}
        badge={<StatusBadge status={`feed_${feed.status}`} />}
        text={<CopyText text={feed.id} label={t.components.copyId} />}
      >
        {canManage && <FeedActions feed={feed} onChanged={onChanged} />}
      </PageHeader>
      <Stack gap="lg">
        <Notices feed={feed} onChanged={onChanged} />
        <Section title={t.common.details}>
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
        <Alert color="amber" variant="light" title={t.bankFeed.thisFeedIsNot}>
          {trust === 'none' ? t.bankFeed.enterTheCredentialsOf : t.bankFeed.openADeliveryCompare}
        </Alert>
      )}
      {/* A new host key has a notice of its own. */}
      {lastError !== null && reason !== 'host_key_unapproved' && (
        <Alert
          color="red"
          variant="light"
          title={feed.pull ? t.bankFeed.theLastPollOr : t.bankFeed.theLastDeliveryWas}
        >
          {formatDeliveryReason(reason, details.join(': ') || null)}
        </Alert>
      )}
      <HostKeyNotice feed={feed} onChanged={onChanged} />
      {failedDeliveryCount > 0 && (
        <Alert color="red" variant="light" title={t.bankFeed.deliveriesNeedAttention}>
          {pluralize(failedDeliveryCount, t.bankFeed.couldNotBeRecorded)}
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
  const hostKeyFingerprint = pull?.presentedHostKeyFingerprint;
  if (hostKeyFingerprint == null || hostKeyFingerprint === pull?.hostKeyFingerprint) return null;
  return (
    <Alert color="amber" variant="light" title={t.bankFeed.approveTheHostKey}>
      <Stack gap="sm" align="flex-start">
        <span>
          {fillNodes(t.bankFeed.theServerPresentedThis, {
            fingerprint: <CopyText text={hostKeyFingerprint} label={t.bankFeed.copyHostKey} />,
          })}
        </span>
        {canManage && (
          <ConfirmButton
            label={t.bankFeed.approveHostKey}
            title={t.bankFeed.approveThisHostKey}
            variant="default"
            onConfirm={() => update({ input: { id, pull: { hostKeyFingerprint } } })}
          >
            <Text size="sm">
              {fillText(t.bankFeed.compareWithTheFingerprint, { fingerprint: hostKeyFingerprint })}
            </Text>
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
        [t.bankFeed.sender, feedKindTexts[kind]],
        ...(trust !== 'connection' || authentication === 'webhook'
          ? [[t.bankFeed.url, <CopyText key="url" text={url} label={t.components.copyUrl} />] as const]
          : []),
        [t.bankFeed.server, pull?.host && `${pull.host}:${pull.port ?? 22}`],
        [t.bankFeed.folder, pull?.folder],
        [t.bankFeed.hostKey, pull?.hostKeyFingerprint],
        [t.bankFeed.lastPoll, pull && (toTime(pull.lastPollAt) ?? t.bankFeed.noneYet)],
        [t.bankFeed.nextPoll, pull && toTime(pull.nextPollAt)],
        [
          pull ? t.bankFeed.lastSuccessfulPoll : t.bankFeed.lastDelivery,
          toTime(lastSuccessAt) ?? t.bankFeed.noneYet,
        ],
        [t.bankFeed.lastTransfer, toTime(lastTransferAt)],
        [t.bankFeed.failingSince, toTime(failingSince)],
        [t.bankFeed.lateSince, toTime(lateSince)],
        [
          t.bankFeed.alertAfterSilence,
          silenceMinutes === null ? t.bankFeed.automatic : pluralize(silenceMinutes, t.common.minuteCount),
        ],
        [t.bankFeed.authentication, trustTexts[trust]],
        [t.bankFeed.support, evidenceTexts[evidence]],
        [t.bankFeed.allowedIpAddresses, formatList(allowedAddresses) || (pull ? null : t.common.any)],
        [
          t.common.receivingAccounts,
          <Stack key="accounts" gap={2}>
            {receivingAccounts.map(({ receivingAccount, bankAccount }) => (
              <span key={receivingAccount.id}>{formatFeedAccount(receivingAccount, bankAccount)}</span>
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
          label={t.bankFeed.pollNow}
          title={t.bankFeed.pollThisFeedNow}
          variant="default"
          onConfirm={() => poll({ input: { id } })}
        >
          <Text size="sm">{t.bankFeed.newTransactionsAreFetched}</Text>
        </ConfirmButton>
      )}
      <Button variant="default" onClick={dialog.open}>
        {t.common.edit}
      </Button>
      <ConfirmButton
        label={isPaused ? t.bankFeed.resume : t.bankFeed.pause}
        title={isPaused ? t.bankFeed.resumeThisFeed : t.bankFeed.pauseThisFeed}
        variant="default"
        onConfirm={() => update({ input: { id, isPaused: !isPaused } })}
      >
        <Text size="sm">
          {isPaused ? t.bankFeed.deliveriesThatArrivedDuring : t.bankFeed.deliveriesAreStillAccepted}
        </Text>
      </ConfirmButton>
      <ConfirmButton
        label={t.bankFeed.delete}
        title={t.bankFeed.deleteThisFeed}
        confirmLabel={t.bankFeed.deleteFeed}
        variant="default"
        isDanger
        onConfirm={() => remove({ input: { id } })}
      >
        <Text size="sm">{t.bankFeed.itsUrlRejectsFurther}</Text>
      </ConfirmButton>
      <EditFeedDialog opened={isEditing} feed={feed} onClose={dialog.close} onSaved={onChanged} />
    </>
  );
}

/** Links a receiving account, followed by the account as the sender writes it, if it differs. */
function formatFeedAccount({ id, account }: { id: string; account: string }, bankAccount: string | null) {
  const link = (
    <Link to={`/receiving-accounts/${id}`} underline={bankAccount === null ? 'hover' : 'always'}>
      {account}
    </Link>
  );
  return bankAccount === null ? link : fillNodes(t.bankFeed.accountAs, { account: link, bankAccount });
}
