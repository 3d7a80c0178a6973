import { Alert, Button, Grid, Progress, Stack, Text } from '@mantine/core';
import { useHistoryState } from 'wouter/use-browser-location';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Cursor, pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { formatCount } from '../../format/count.ts';
import { sizeText } from '../../format/size.ts';
import { isUnderWay } from '../../format/under-way.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { ownPath } from '../../graphql/own-path.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { transferRow } from '../transfer/transfer-row.ts';
import { TransferTable } from '../transfer/transfer-table.tsx';
import { faultText, formatText, resultsText } from './statement-texts.ts';
import { importRefreshMs, statementRow } from './statements-query.ts';
import type { StatementArrival } from './use-import.ts';

/** One statement file: how far its import is, what came of it, and what waits for a person. */
export default function StatementPage({ id }: { id: string }) {
  const cursor = useCursor();
  const read = useRead(statementQuery, { id, ...cursor.variables });
  const { statement: shown } = read.data ?? {};
  useInterval(shown && isUnderWay(shown) ? importRefreshMs : null, read.refresh);
  return (
    <Loaded read={read} lines={10}>
      {({ statement, transfers }) =>
        statement ? (
          <Details statement={statement} waiting={transfers} cursor={cursor} />
        ) : (
          <NoSuch noun="statement" />
        )
      }
    </Loaded>
  );
}

type Props = { statement: StatementDetails; waiting: WaitingTransfers; cursor: Cursor };

function Details({ statement, waiting, cursor }: Props) {
  const mayGet = useMay('transfers');
  return (
    <>
      <BackLink to="/statements">Statements</BackLink>
      <PageHeader
        title={statement.fileName}
        noun="Statement"
        badge={<StatusBadge status={`statement_${statement.status}`} />}
        text={<CopyText text={statement.id} what="statement id" />}
      >
        {mayGet && statement.fileUrl !== null && (
          <Button component="a" href={ownPath(statement.fileUrl)} variant="default" download>
            Download file
          </Button>
        )}
      </PageHeader>
      <KnownFile statement={statement} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Result">
            <ImportOutcome statement={statement} waitingCount={waiting.totalCount} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <StatementFacts statement={statement} />
          </Section>
        </Grid.Col>
        {waiting.totalCount > 0 && (
          <Grid.Col span={12}>
            <Section title="Needs review" flush>
              <Paged page={waiting} cursor={cursor} empty={<Empty title="Nothing left to review" />}>
                {(transfers) => <TransferTable transfers={transfers} />}
              </Paged>
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

/** Where the file that was just chosen had been imported before, perhaps by another name. */
function KnownFile({ statement }: { statement: StatementDetails }) {
  const isKnown = useHistoryState<StatementArrival>()?.isKnown ?? false;
  if (!isKnown) return null;
  return (
    <Alert color="amber" variant="light" role="status" title="This file was already imported" mb="lg">
      {statement.importedByName} imported it as {statement.fileName}, <Moment at={statement.createdAt} />.
      Nothing was imported again. This is the result of that import.
    </Alert>
  );
}

function ImportOutcome({ statement, waitingCount }: { statement: StatementDetails; waitingCount: number }) {
  const { error, entries, recorded, results, progress } = statement;
  if (error && recorded === 0) {
    return (
      <Alert color="red" variant="light" role="alert" title="Nothing of this file was imported">
        {faultText(error)}
      </Alert>
    );
  }
  if (isUnderWay(statement)) {
    const percent = Math.floor(progress * 100);
    return (
      <Stack gap="xs">
        <Progress value={percent} aria-label="Progress of the import" animated />
        <Text size="sm" role="status">
          {entries === null
            ? 'Checking the whole file first. Nothing is imported from an invalid file.'
            : `${formatCount(recorded)} of ${formatCount(entries)} entries recorded.`}
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      {error && (
        <Alert color="red" variant="light" role="alert" title={stoppedText(recorded, entries)}>
          {faultText(error)}
        </Alert>
      )}
      <Text fw={600}>{resultsText(results)}</Text>
      <Text size="sm" c="var(--causeway-muted)">
        {results.exception === 0 ? 'Nothing needs review.' : waitingText(waitingCount)}
      </Text>
    </Stack>
  );
}

/** Where a fault of the service ended the import of a file that is whole. */
function stoppedText(recorded: number, entries: number | null): string {
  const whole = entries === null ? '' : ` of ${formatCount(entries)}`;
  return `Stopped after ${formatCount(recorded)}${whole} entries`;
}

/** How many of those that could not be assigned still wait. */
function waitingText(count: number): string {
  if (count === 0) return 'All transfers that could not be matched automatically have been handled.';
  if (count === 1) return '1 transfer could not be matched automatically. Review it below.';
  return `${formatCount(count)} transfers could not be matched automatically. Review them below.`;
}

function StatementFacts({ statement }: { statement: StatementDetails }) {
  const methodName = useMethodName();
  const { receivingAccount: account, entries, createdAt, finishedAt } = statement;
  return (
    <Facts
      facts={[
        ['Format', formatText(statement.format)],
        [
          'Account',
          <Link key="account" to={`/receiving-accounts/${account.id}`}>
            {methodName(account.method)} {account.account}
          </Link>,
        ],
        ['Entries', entries !== null && formatCount(entries)],
        ['Size', sizeText(statement.size)],
        ['Imported by', statement.importedByName],
        ['Requested', <Moment key="asked" at={createdAt} form="long" />],
        ['Finished', finishedAt !== null && <Moment key="finished" at={finishedAt} form="long" />],
        ['SHA-256', <CopyText key="hash" text={statement.sha256} what="hash" />],
      ]}
    />
  );
}

/** One statement, and a page of those of its transfers that a person has to look at. */
const statementQuery = graphql(
  `
    query Statement($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
      statement(id: $id) {
        ...StatementRow
        size
        sha256
        fileUrl
        recorded
        finishedAt
      }
      transfers(
        filter: { statementId: $id, status: [exception] }
        first: $first
        after: $after
        last: $last
        before: $before
      ) {
        totalCount
        nodes {
          ...TransferRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [statementRow, transferRow, pageInfoFields],
);

type Answer = ResultOf<typeof statementQuery>;
type StatementDetails = NonNullable<Answer['statement']>;
type WaitingTransfers = Answer['transfers'];
