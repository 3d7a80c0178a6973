import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatBankDate } from '../../format/moment.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';

/** Lists the movements that a file reports as provisional or not booked, each with its transfer if booked since. */
export function PendingEntries({ statementId }: { statementId: string }) {
  const entries = useCachedQuery(pendingEntriesQuery, { id: statementId }).data?.statementPendingEntries;
  if (!entries || entries.length === 0) return null;
  return (
    <Section title={t.statement.notBookedYet} isFlush>
      <Text size="sm" c="var(--causeway-muted)" px="lg" pb="sm">
        {t.statement.theBankMayStill}
      </Text>
      <DataTable
        label={t.statement.movementsThatAreNot}
        columns={columns}
        rows={entries.map((entry, i) => ({ ...entry, id: String(i) }))}
      />
    </Section>
  );
}

const pendingEntriesQuery = graphql(`
  query StatementPendingEntries($id: ID!) {
    statementPendingEntries(id: $id) {
      entry {
        direction
        amount
        currency
        date
        reference
        payerName
      }
      transfer {
        id
        status
      }
    }
  }
`);

type PendingRow = NonNullable<ResultOf<typeof pendingEntriesQuery>['statementPendingEntries']>[number] & {
  id: string;
};

const columns: TableColumn<PendingRow>[] = [
  {
    title: t.statement.referenceAndPayer,
    cell: ({ entry }) => (
      <>
        <Text size="sm">{entry.reference || '—'}</Text>
        <Muted>{entry.payerName}</Muted>
      </>
    ),
  },
  {
    title: t.common.status,
    cell: ({ transfer }) =>
      transfer ? (
        <>
          <StatusBadge status={transfer.status} />{' '}
          <Link to={`/transfers/${transfer.id}`}>{t.statement.viewTransfer}</Link>
        </>
      ) : (
        <StatusBadge status="pending" />
      ),
  },
  {
    title: t.statement.date,
    cell: ({ entry }) => <Muted>{entry.date ? formatBankDate(entry.date) : '—'}</Muted>,
  },
  {
    title: t.common.amount,
    isEndAligned: true,
    cell: ({ entry: { direction, amount, currency } }) => (
      <Amount value={direction === 'debit' ? `-${amount}` : amount} currency={currency} />
    ),
  },
];
