import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { WholeWords } from '../../components/whole-words.tsx';
import { formatMethod } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import { formatTransferReason } from './transfer-reasons.ts';
import { getTransferTitle, type TransferRow } from './transfer-row.ts';

export function TransferTable({ transfers }: { transfers: readonly TransferRow[] }) {
  const columns: TableColumn<TransferRow>[] = [
    {
      title: t.common.fromPayer,
      cell: (transfer) => (
        <Link to={`/transfers/${transfer.id}`} fw={600}>
          {getTransferTitle(transfer)}
        </Link>
      ),
    },
    { title: t.common.status, cell: (transfer) => <TransferStatus transfer={transfer} /> },
    {
      title: t.transfer.reference,
      cell: (transfer) => <Muted>{getDistinctReference(transfer) || '—'}</Muted>,
    },
    {
      title: t.common.amount,
      isEndAligned: true,
      cell: ({ amount, currency, direction }) => (
        <Amount value={direction === 'debit' ? `-${amount}` : amount} currency={currency} />
      ),
    },
    {
      title: t.common.account,
      cell: ({ receivingAccount }) => (
        <Muted>
          <WholeWords>{formatMethod(receivingAccount.method)}</WholeWords>
        </Muted>
      ),
    },
    {
      title: t.common.paidAt,
      isEndAligned: true,
      cell: ({ paidAt, isPaidAtDateOnly }) => (
        <Muted>
          <Moment at={paidAt} format={isPaidAtDateOnly ? 'date' : 'short'} />
        </Muted>
      ),
    },
  ];
  return <DataTable label={t.common.transfers} columns={columns} rows={transfers} />;
}

/** Returns the reference, or null if the row is already titled with it. */
function getDistinctReference(transfer: TransferRow): string | null {
  return transfer.reference === getTransferTitle(transfer) ? null : transfer.reference;
}

function TransferStatus({ transfer }: { transfer: Pick<TransferRow, 'status' | 'reason'> }) {
  const { status, reason } = transfer;
  return (
    <>
      <StatusBadge status={status} />
      {status === 'exception' && reason !== null && (
        <Text size="xs" c="var(--causeway-muted)">
          {formatTransferReason(reason, 'short')}
        </Text>
      )}
    </>
  );
}
