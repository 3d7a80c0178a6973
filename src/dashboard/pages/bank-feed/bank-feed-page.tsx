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
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  type BankFeedDetails,
  bankFeedQuery,
  deleteBankFeedMutation,
  updateBankFeedMutation,
} from './bank-feeds-query.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EditFeedDialog } from './edit-feed-dialog.tsx';
import { evidenceTexts, feedKindTexts, formatDeliveryReason, trustTexts } from './feed-texts.ts';

/** Shows a bank feed: its health, its settings and its deliveries. */
export default function BankFeedPage({ id }: { id: string }) {
  const query = useCachedQuery(bankFeedQuery, { id });
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
        <Notices feed={feed} />
        <Section title="Details">
          <FeedFacts feed={feed} />
        </Section>
        <DeliveryLog feedId={feed.id} />
      </Stack>
    </>
  );
}

function Notices({ feed }: { feed: BankFeedDetails }) {
  const { confirmedAt, trust, lastError, failedDeliveryCount } = feed;
  const [reason = '', ...details] = (lastError ?? '').split(': ');
  return (
    <>
      {confirmedAt === null && (
        <Alert color="amber" variant="light" title="This feed only observes">
          {trust === 'none'
            ? 'Enter the credentials of the bank’s API. Until then, no transfer is recorded.'
            : 'Open a delivery, compare its transfers with your bank account, and confirm the feed. Until then, no transfer is recorded.'}
        </Alert>
      )}
      {lastError !== null && (
        <Alert color="red" variant="light" title="The last delivery was not recorded">
          {formatDeliveryReason(reason, details.join(': ') || null)}
        </Alert>
      )}
      {failedDeliveryCount > 0 && (
        <Alert color="red" variant="light" title="Deliveries need attention">
          {pluralize(failedDeliveryCount, 'delivery', 'deliveries')} could not be recorded completely. Open
          them below, correct the cause, and process them again.
        </Alert>
      )}
    </>
  );
}

function FeedFacts({ feed }: { feed: BankFeedDetails }) {
  const { kind, url, trust, evidence, receivingAccounts, silenceMinutes, allowedAddresses } = feed;
  const { lastSuccessAt, lastTransferAt, failingSince, lateSince } = feed;
  const toTime = (at: string | null) => at && <Moment at={at} format="long" />;
  return (
    <Facts
      facts={[
        ['Sender', feedKindTexts[kind]],
        ['URL', <CopyText key="url" text={url} label="feed URL" />],
        ['Last delivery', toTime(lastSuccessAt) ?? 'None yet'],
        ['Last transfer', toTime(lastTransferAt)],
        ['Failing since', toTime(failingSince)],
        ['Late since', toTime(lateSince)],
        ['Alert after silence', silenceMinutes === null ? 'Learned' : pluralize(silenceMinutes, 'minute')],
        ['Authentication', trustTexts[trust]],
        ['Support', evidenceTexts[evidence]],
        ['Allowed IP addresses', allowedAddresses.join(', ') || 'Any'],
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
  const isPaused = status === 'paused';
  return (
    <>
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
            ? 'Deliveries that arrived during the pause are recorded now.'
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
          Its URL rejects further deliveries, and its keys are deleted. Recorded transfers stay.
        </Text>
      </ConfirmButton>
      <EditFeedDialog opened={isEditing} feed={feed} onClose={dialog.close} onSaved={onChanged} />
    </>
  );
}
