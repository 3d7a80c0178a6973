import { Alert, Box, List, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { formatList } from '../../format/list.ts';
import { formatBankDate } from '../../format/moment.ts';
import { formatPayer } from '../../format/payer.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
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
        <Alert color="red" variant="light" role="alert" title={t.statement.thisFileCannotBe} mx="lg" mb="md">
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
          title={t.statement.theControlFiguresDo}
        />
        <ReaderNotes notes={preview.notes} />
      </Box>
      {preview.accounts.length > 1 && (
        <Alert color="amber" variant="light" title={t.statement.thisFileCoversSeveral} mx="lg" mb="md">
          {fillText(t.statement.accountsInTheFile, {
            instruction: preview.fileAccount
              ? fillText(t.statement.onlyTheEntriesOf, { fileAccount: preview.fileAccount })
              : t.statement.chooseTheAccountIn,
            accounts: formatList(preview.accounts),
          })}
        </Alert>
      )}
      {preview.accounts.length === 1 && (
        <Text size="sm" c="var(--causeway-muted)" px="lg" pb="sm">
          {fillNodes(t.statement.accountInTheFile, { account: preview.accounts[0] })}
        </Text>
      )}
      {rows.length > 0 && <DataTable label={t.statement.firstRows} columns={columns} rows={rows} hasLabels />}
      {rows.length === 0 && preview.errors.length === 0 && (
        <EmptyState title={t.statement.noEntries}>{t.statement.theStatementContainsNo}</EmptyState>
      )}
    </>
  );
}

const columns: TableColumn<PreviewTableRow>[] = [
  {
    title: t.statement.referenceAndPayer,
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
    title: t.statement.date,
    cell: ({ entry }) => <Muted>{entry?.date ? formatBankDate(entry.date) : '—'}</Muted>,
  },
  {
    title: t.statement.outcome,
    cell: (row) => <Outcome row={row} />,
  },
  {
    title: t.statement.lineColumn,
    cell: ({ line }) => <Muted>{line}</Muted>,
  },
  {
    title: t.common.amount,
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

const paymentTexts = {
  matched: t.statement.paysCharge,
  partial: t.statement.paysPartOfCharge,
  over: t.statement.overpaysCharge,
};

/** Shows the expected result of a row, with a link to the charge that it would pay. */
function Outcome({ row }: { row: PreviewTableRow }) {
  const { status, charge } = row;
  if (charge && (status === 'matched' || status === 'partial' || status === 'over')) {
    const link = (
      <Link to={`/charges/${charge.id}`}>{formatPayer(charge, charge.destination.paymentReference)}</Link>
    );
    return <Text size="sm">{fillNodes(paymentTexts[status], { charge: link })}</Text>;
  }
  return <Muted>{describeOutcome(row)}</Muted>;
}

const skipTexts = {
  provisional: t.statement.skippedProvisionalUntilThe,
  pending: t.statement.skippedNotBookedYet,
  information: t.statement.skippedForInformationOnly,
  zero_amount: t.statement.skippedTheAmountIs,
};

function describeOutcome({ entry, status, isInvalid }: PreviewTableRow): string {
  if (isInvalid) return t.statement.cannotBeRead;
  if (!entry) return t.statement.skippedNotATransaction;
  if (entry.skipReason) return skipTexts[entry.skipReason];
  if (status === 'exception') return t.statement.willNeedReview;
  if (status === 'duplicate') return t.statement.alreadyRecorded;
  if (status === 'dismissed') return t.statement.ignoredByARule;
  if (entry.isReversal && entry.direction === 'debit') return t.statement.reversesACredit;
  return entry.direction === 'credit' ? t.statement.incoming : t.common.outgoing;
}
