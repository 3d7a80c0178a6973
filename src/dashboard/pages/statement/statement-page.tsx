import { Alert, Button, Grid, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import type { TransferRow } from '../transfer/transfer-row.ts';
import { TransferTable } from '../transfer/transfer-table.tsx';
import { sizeText } from './file-drop.tsx';
import { type StatementDetails, statementQuery } from './statement-query.ts';
import { faultText, formatText, resultsText } from './statement-results.tsx';
import { isUnderWay } from './statements-query.ts';
import { useProgress } from './use-progress.ts';

/** One statement file: how far its import is, what came of it, and what waits for a person. */
export default function StatementPage({ id }: { id: string }) {
  const [{ data, error }, reload] = useQuery({ query: statementQuery, variables: { id } });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useProgress(data?.statement ? isUnderWay(data.statement) : false, refresh);
  return (
    <Loaded data={data} error={error} onRetry={refresh} lines={10}>
      {({ statement, transfers }) =>
        statement ? (
          <Details statement={statement} waiting={transfers.nodes} waitingCount={transfers.totalCount} />
        ) : (
          <NoSuch noun="statement" />
        )
      }
    </Loaded>
  );
}

type Props = { statement: StatementDetails; waiting: readonly TransferRow[]; waitingCount: number };

function Details({ statement, waiting, waitingCount }: Props) {
  const mayGet = useMay('transfers');
  return (
    <>
      <Link to="/statements" size="sm">
        ‹ Statements
      </Link>
      <PageHeader
        title={statement.fileName}
        noun="Statement"
        badge={<StatusBadge status={`statement_${statement.status}`} />}
        text={<CopyText text={statement.id} what="statement id" />}
      >
        {mayGet && statement.fileUrl !== null && (
          <Button
            component="a"
            href={new URL(statement.fileUrl).pathname + new URL(statement.fileUrl).search}
            variant="default"
            download
          >
            Get the file
          </Button>
        )}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="What came of it">
            <Outcome statement={statement} waitingCount={waitingCount} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <StatementFacts statement={statement} />
          </Section>
        </Grid.Col>
        {waiting.length > 0 && (
          <Grid.Col span={12}>
            <Section title="What waits for you" flush>
              <TransferTable transfers={waiting} />
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

function Outcome({ statement, waitingCount }: Omit<Props, 'waiting'>) {
  const { error, entries, recorded, results, progress } = statement;
  if (error) {
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
            ? 'Reading the file to its end first: a broken one imports nothing.'
            : `${recorded.toLocaleString()} of ${entries.toLocaleString()} entries recorded.`}
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <Text fw={600}>{resultsText(results)}</Text>
      <Text size="sm" c="var(--causeway-muted)">
        {results.exception === 0
          ? 'Nothing of it waits for you.'
          : waitingCount === 0
            ? 'All that could not be assigned by itself has been dealt with.'
            : waitingCount === 1
              ? 'One could not be assigned by itself; say what it counts for.'
              : `${waitingCount.toLocaleString()} could not be assigned by themselves; say what they count for.`}
      </Text>
    </Stack>
  );
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
        ['Entries', entries?.toLocaleString()],
        ['Size', sizeText(statement.size)],
        ['Imported by', statement.importedByName],
        ['Asked for', <Moment key="asked" at={createdAt} form="long" />],
        ['Finished', finishedAt !== null && <Moment key="finished" at={finishedAt} form="long" />],
        ['SHA-256', <CopyText key="hash" text={statement.sha256} what="hash" />],
      ]}
    />
  );
}
