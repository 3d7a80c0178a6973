import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';

/** Lists the movements of a file that the bank had not booked definitively, and what was booked since. */
export function PendingEntries({ statementId }: { statementId: string }) {
  const entries = useCachedQuery(pendingEntriesQuery, { id: statementId }).data?.statementPendingEntries;
  if (!entries || entries.length === 0) return null;
  return (
    <Section title="Not booked yet" isFlush>
      <Text size="sm" c="var(--causeway-muted)" px="lg" pb="sm">
        The bank may still change these movements. They complete a charge when a statement reports their
        booking.
      </Text>
      <DataTable
        label="Movements that are not booked yet"
        columns={columns}
        rows={entries.map((one, i) => ({ ...one, id: String(i) }))}
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
    title: 'Reference and payer',
    cell: ({ entry }) => (
      <>
        <Text size="sm">{entry.reference || '—'}</Text>
        <Muted>{entry.payerName}</Muted>
      </>
    ),
  },
  {
    title: 'Status',
    cell: ({ transfer }) =>
      transfer ? (
        <>
          <StatusBadge status={transfer.status} /> <Link to={`/transfers/${transfer.id}`}>View transfer</Link>
        </>
      ) : (
        <StatusBadge status="pending" />
      ),
  },
  { title: 'Date', cell: ({ entry }) => <Muted>{entry.date?.replace('T', ' ') ?? '—'}</Muted> },
  {
    title: 'Amount',
    isEndAligned: true,
    cell: ({ entry: { direction, amount, currency } }) => (
      <Amount value={direction === 'debit' ? `-${amount}` : amount} currency={currency} />
    ),
  },
];
