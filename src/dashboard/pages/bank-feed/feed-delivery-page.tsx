import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatSize } from '../../format/size.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { formatResults } from '../statement/format-statement.ts';
import {
  confirmBankFeedMutation,
  type FeedDeliveryDetails,
  feedDeliveryQuery,
  processFeedDeliveryMutation,
} from './bank-feeds-query.ts';
import { feedRefreshMs, formatDeliveryReason, formatReportedAmount } from './feed-texts.ts';

export default function FeedDeliveryPage({ id }: { id: string }) {
  const query = useCachedQuery(feedDeliveryQuery, { id });
  useInterval(query.data?.feedDelivery?.status === 'received' ? feedRefreshMs : null, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ feedDelivery }) =>
        feedDelivery ? (
          <Details delivery={feedDelivery} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.bankFeed.deliveryNotFound} hint={t.bankFeed.itMayBeOlder} />
        )
      }
    </Loaded>
  );
}

function Details({ delivery, onChanged }: { delivery: FeedDeliveryDetails; onChanged: () => void }) {
  const { id, status, bankFeed, headersJson, body } = delivery;
  return (
    <>
      <BackLink to={`/bank-feeds/${bankFeed.id}`}>{bankFeed.name}</BackLink>
      <PageHeader
        title={t.bankFeed.delivery}
        objectType={t.bankFeed.delivery}
        badge={<StatusBadge status={`delivery_${status}`} />}
        text={<CopyText text={id} label={t.components.copyId} />}
      >
        <ConfirmFeedButton delivery={delivery} onConfirmed={onChanged} />
        <ProcessButton delivery={delivery} onProcessed={onChanged} />
      </PageHeader>
      <Stack gap="lg">
        <Section title={t.common.details}>
          <DeliveryFacts delivery={delivery} />
        </Section>
        {delivery.fileName === null ? (
          <Section title={t.common.transfers} isFlush={delivery.results.length > 0}>
            <Results delivery={delivery} />
          </Section>
        ) : (
          <Section title={t.common.statements}>
            <Statements delivery={delivery} />
          </Section>
        )}
        {body !== null && (
          <Section title={t.bankFeed.body}>
            <RawText label={t.bankFeed.bodyAsReceived}>{formatJson(body)}</RawText>
          </Section>
        )}
        {headersJson !== null && (
          <Section title={t.bankFeed.headers}>
            <RawText label={t.bankFeed.headersWithoutCredentials}>{formatJson(headersJson)}</RawText>
          </Section>
        )}
      </Stack>
    </>
  );
}

/** Formats JSON with line breaks; returns other text unchanged. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function DeliveryFacts({ delivery }: { delivery: FeedDeliveryDetails }) {
  const { reason, detail, ipAddress, fileName, sizeBytes, sha256, createdAt, processedAt } = delivery;
  return (
    <Facts
      facts={[
        [t.common.reason, reason && formatDeliveryReason(reason, detail)],
        [t.bankFeed.receivedAt, <Moment key="received" at={createdAt} format="long" />],
        [t.bankFeed.processed, processedAt && <Moment key="processed" at={processedAt} format="long" />],
        [t.bankFeed.fromAddress, ipAddress ?? t.bankFeed.fetched],
        [t.common.file, fileName],
        [t.bankFeed.size, formatSize(sizeBytes)],
        ['SHA-256', <CopyText key="hash" text={sha256} label={t.components.copyHash} />],
      ]}
    />
  );
}

type ResultRow = FeedDeliveryDetails['results'][number] & { id: string };

const columns: TableColumn<ResultRow>[] = [
  { title: t.common.bankReference, cell: ({ bankReference }) => bankReference },
  { title: t.bankFeed.result, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: t.common.amount, isEndAligned: true, cell: formatReportedAmount },
  { title: t.common.account, cell: ({ account }) => account },
  {
    title: t.bankFeed.transfer,
    cell: ({ transfer, detail }) =>
      transfer ? <Link to={`/transfers/${transfer.id}`}>{t.bankFeed.viewTransfer}</Link> : detail,
  },
];

function Results({ delivery: { results } }: { delivery: FeedDeliveryDetails }) {
  if (results.length === 0) return <Text size="sm">{t.bankFeed.noTransferWasRead}</Text>;
  const rows = results.map((result, i) => ({ ...result, id: String(i) }));
  return <DataTable label={t.bankFeed.transfersOfTheDelivery} columns={columns} rows={rows} />;
}

function Statements({ delivery: { statements } }: { delivery: FeedDeliveryDetails }) {
  if (statements.length === 0) return <Text size="sm">{t.bankFeed.theFileWasNotImported}</Text>;
  return (
    <Stack gap={4}>
      {statements.map((statement) => (
        <span key={statement.id}>
          <Link to={`/statements/${statement.id}`}>{statement.fileName}</Link>{' '}
          <StatusBadge status={`statement_${statement.status}`} /> {formatResults(statement)}
        </span>
      ))}
    </Stack>
  );
}

function ConfirmFeedButton(props: { delivery: FeedDeliveryDetails; onConfirmed: () => void }) {
  const { delivery, onConfirmed } = props;
  const { id: deliveryId, status, bankFeed } = delivery;
  const canManage = useHasPermission('manage');
  const confirm = useMutationAction(confirmBankFeedMutation, onConfirmed);
  if (!canManage || status !== 'observed' || bankFeed.trust === 'none') return null;
  return (
    <ConfirmButton
      label={t.bankFeed.confirmFeed}
      title={t.bankFeed.confirmThisFeed}
      onConfirm={() => confirm({ input: { id: bankFeed.id, deliveryId } })}
    >
      <Text size="sm">{t.bankFeed.compareTheTransfersOf}</Text>
    </ConfirmButton>
  );
}

function ProcessButton(props: { delivery: FeedDeliveryDetails; onProcessed: () => void }) {
  const { delivery, onProcessed } = props;
  const canProcess = useHasPermission('transfers');
  const [{ fetching }, process] = useMutation(processFeedDeliveryMutation);
  const { error, handleResult } = useFormState();
  const { body, fileName } = delivery;
  if (!canProcess || (body === null && fileName === null)) return null;
  const processAgain = async () => {
    if (handleResult(await process({ input: { id: delivery.id } }))) onProcessed();
  };
  return (
    <Stack gap="xs" align="flex-end">
      <Button variant="default" onClick={processAgain} loading={fetching}>
        {fileName === null ? t.bankFeed.processAgain : t.bankFeed.fetchAgain}
      </Button>
      <ErrorAlert text={error} />
    </Stack>
  );
}
