import { Alert, List, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Quiet } from '../../components/quiet.tsx';
import type { Preview } from './import-query.ts';
import { faultText } from './statement-texts.ts';

type Row = Preview['rows'][number] & { id: string; isBroken: boolean };

/** The first rows as they would be imported, and what is wrong. */
export function StatementPreview({ preview }: { preview: Preview }) {
  const broken = new Set(preview.faults.map(({ line }) => line));
  const rows = preview.rows.map((row, index) => ({
    ...row,
    id: `${index} ${row.line}`,
    isBroken: broken.has(row.line),
  }));
  return (
    <>
      {preview.faults.length > 0 && (
        <Alert color="red" variant="light" role="alert" title="This file cannot be read" mx="lg" mb="md">
          <List size="sm">
            {preview.faults.map((fault) => (
              <List.Item key={`${fault.line} ${fault.reason}`}>{faultText(fault)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {preview.accounts.length > 1 && (
        <Alert color="amber" variant="light" title="This file covers several accounts" mx="lg" mb="md">
          All entries would be recorded on the account that you chose. Accounts in the file:{' '}
          {preview.accounts.join(', ')}.
        </Alert>
      )}
      {preview.accounts.length === 1 && (
        <Text size="sm" c="var(--causeway-muted)" px="lg" pb="sm">
          Account in the file: {preview.accounts[0]}.
        </Text>
      )}
      {rows.length > 0 && <DataTable label="First rows" columns={columns} rows={rows} />}
      {rows.length === 0 && preview.faults.length === 0 && (
        <Empty title="No entries">The statement contains no transactions.</Empty>
      )}
    </>
  );
}

const columns: Column<Row>[] = [
  {
    title: 'Line',
    cell: ({ line }) => <Quiet>{line}</Quiet>,
  },
  {
    title: 'Date',
    cell: ({ entry }) => <Quiet>{entry?.date?.replace('T', ' ') ?? '—'}</Quiet>,
  },
  {
    title: 'Reference and payer',
    cell: ({ entry, cells }) =>
      entry ? (
        <>
          <Text size="sm">{entry.reference || '—'}</Text>
          <Quiet>{entry.payerName}</Quiet>
        </>
      ) : (
        <Quiet>{cells.filter(Boolean).join(' · ') || '—'}</Quiet>
      ),
  },
  {
    title: 'Outcome',
    cell: (row) => <Quiet>{fateOf(row)}</Quiet>,
  },
  {
    title: 'Amount',
    end: true,
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

function fateOf({ entry, isBroken }: Row): string {
  if (isBroken) return 'Cannot be read';
  if (!entry) return 'Skipped: no amount';
  if (!entry.isBooked) return 'Skipped: not booked yet';
  if (entry.isReversal && entry.direction === 'debit') return 'Reverses a credit';
  return entry.direction === 'credit' ? 'Incoming' : 'Outgoing';
}
