import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMethodName } from '../payment-methods.ts';
import { transferReasonText } from './transfer-reasons.ts';
import { type TransferRow, transferTitle } from './transfer-row.ts';

export function TransferTable({ transfers }: { transfers: readonly TransferRow[] }) {
  const methodName = useMethodName();
  const columns: Column<TransferRow>[] = [
    {
      title: 'From',
      cell: (transfer) => (
        <Link to={`/transfers/${transfer.id}`} fw={600}>
          {transferTitle(transfer)}
        </Link>
      ),
    },
    { title: 'Status', cell: (transfer) => <TransferStatus transfer={transfer} /> },
    { title: 'Reference', cell: ({ reference }) => <Quiet>{reference || '—'}</Quiet> },
    {
      title: 'Amount',
      end: true,
      cell: ({ amount, currency, direction }) => (
        <Amount value={direction === 'debit' ? `-${amount}` : amount} currency={currency} />
      ),
    },
    {
      title: 'Account',
      cell: ({ receivingAccount }) => <Quiet>{methodName(receivingAccount.method)}</Quiet>,
    },
    {
      title: 'Paid',
      end: true,
      cell: ({ paidAt, paidAtIsDate }) => (
        <Quiet>
          <Moment at={paidAt} form={paidAtIsDate ? 'date' : 'short'} />
        </Quiet>
      ),
    },
  ];
  return <DataTable label="Transfers" columns={columns} rows={transfers} />;
}

/** The status; of an exception in one or two words why. */
function TransferStatus({ transfer }: { transfer: Pick<TransferRow, 'status' | 'reason'> }) {
  const { status, reason } = transfer;
  return (
    <>
      <StatusBadge status={status} />
      {status === 'exception' && reason !== null && (
        <Text size="xs" c="var(--causeway-muted)">
          {transferReasonText(reason, 'short')}
        </Text>
      )}
    </>
  );
}
