import { Alert, Box, List, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Muted } from '../../components/muted.tsx';
import { DiscrepancyList } from './discrepancy-list.tsx';
import { formatStatementError } from './format-statement.ts';
import type { StatementPreviewData } from './import-query.ts';
import { ReaderNotes } from './reader-notes.tsx';

type PreviewTableRow = StatementPreviewData['rows'][number] & { id: string; isInvalid: boolean };

/** Shows the first rows as they would be imported, with their errors. */
export function StatementPreview({ preview }: { preview: StatementPreviewData }) {
  const invalidLines = new Set(preview.errors.map(({ line }) => line));
  const rows = preview.rows.map((row, index) => ({
    ...row,
    id: `${index} ${row.line}`,
    isInvalid: invalidLines.has(row.line),
  }));
  return (
    <>
      {preview.errors.length > 0 && (
        <Alert color="red" variant="light" role="alert" title="This file cannot be read" mx="lg" mb="md">
          <List size="sm">
            {preview.errors.map((error) => (
              <List.Item key={`${error.line} ${error.message}`}>{formatStatementError(error)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Box px="lg">
        <DiscrepancyList
          discrepancies={preview.discrepancies}
          count={preview.discrepancies.length}
          title="The control figures do not add up, so the import will need a confirmation"
        />
        <ReaderNotes notes={preview.notes} />
      </Box>
      {preview.accounts.length > 1 && (
        <Alert color="amber" variant="light" title="This file covers several accounts" mx="lg" mb="md">
          {preview.fileAccount
            ? `Only the entries of ${preview.fileAccount} are recorded. Import the file again for each of your other accounts.`
            : 'Choose the account in the file that is this receiving account.'}{' '}
          Accounts in the file: {preview.accounts.join(', ')}.
        </Alert>
      )}
      {preview.accounts.length === 1 && (
        <Text size="sm" c="var(--causeway-muted)" px="lg" pb="sm">
          Account in the file: {preview.accounts[0]}.
        </Text>
      )}
      {rows.length > 0 && <DataTable label="First rows" columns={columns} rows={rows} />}
      {rows.length === 0 && preview.errors.length === 0 && (
        <EmptyState title="No entries">The statement contains no transactions.</EmptyState>
      )}
    </>
  );
}

const columns: TableColumn<PreviewTableRow>[] = [
  {
    title: 'Line',
    cell: ({ line }) => <Muted>{line}</Muted>,
  },
  {
    title: 'Date',
    cell: ({ entry }) => <Muted>{entry?.date?.replace('T', ' ') ?? '—'}</Muted>,
  },
  {
    title: 'Reference and payer',
    cell: ({ entry, cells }) =>
      entry ? (
        <>
          <Text size="sm">{entry.reference || '—'}</Text>
          <Muted>{entry.payerName}</Muted>
        </>
      ) : (
        <Muted>{cells.filter(Boolean).join(' · ') || '—'}</Muted>
      ),
  },
  {
    title: 'Outcome',
    cell: (row) => <Muted>{describeOutcome(row)}</Muted>,
  },
  {
    title: 'Amount',
    isEndAligned: true,
    cell: ({ entry }) =>
      entry ? (
        <Amount
          value={entry.direction === 'debit' ? `-${entry.amount}` : entry.amount}
          currency={entry.currency}
        />
      ) : (
        '—'
      ),
  },
];

const skipTexts = {
  provisional: 'Skipped: provisional until the statement with the booking is imported',
  pending: 'Skipped: not booked yet',
  information: 'Skipped: for information only',
  zero_amount: 'Skipped: the amount is zero',
};

function describeOutcome({ entry, isInvalid }: PreviewTableRow): string {
  if (isInvalid) return 'Cannot be read';
  if (!entry) return 'Skipped: not a transaction';
  if (entry.skipReason) return skipTexts[entry.skipReason];
  if (entry.isReversal && entry.direction === 'debit') return 'Reverses a credit';
  return entry.direction === 'credit' ? 'Incoming' : 'Outgoing';
}
