import { Amount } from '../../parts/amount.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { sourceTexts } from '../transfer/transfer-row.ts';
import type { ChargeDetails } from './charge-query.ts';

type Allocation = ChargeDetails['allocations'][number];

const columns: Column<Allocation>[] = [
  {
    title: 'Paid',
    cell: ({ transfer }) => (
      <Link to={`/transfers/${transfer.id}`}>
        <Moment at={transfer.paidAt} form={transfer.paidAtIsDate ? 'date' : 'short'} />
      </Link>
    ),
  },
  {
    title: 'Counts here',
    end: true,
    cell: ({ amount, transfer }) => <Amount value={amount} currency={transfer.currency} />,
  },
  {
    title: 'From',
    cell: ({ transfer }) => transfer.payerName ?? <Quiet>not told</Quiet>,
  },
  { title: 'Status', cell: ({ transfer }) => <StatusBadge status={transfer.status} /> },
  { title: 'Reference', cell: ({ transfer }) => transfer.reference },
  { title: 'Told by', cell: ({ transfer }) => `${sourceTexts[transfer.source]}, ${transfer.bankReference}` },
];

/** The money that was counted for the charge. */
export function ChargeTransfers({ charge }: { charge: ChargeDetails }) {
  if (charge.allocations.length === 0) {
    return (
      <Empty title="No money has arrived">
        Transfers that carry {charge.destination.nonce} are found by themselves.
      </Empty>
    );
  }
  return <DataTable label="Transfers" columns={columns} rows={charge.allocations} />;
}
