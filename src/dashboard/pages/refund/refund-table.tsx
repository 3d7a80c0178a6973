import { Amount } from '../../components/amount.tsx';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { WholeWords } from '../../components/whole-words.tsx';
import { formatMethod } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import type { RefundRow } from './refund-row.ts';

export function RefundTable({ refunds }: { refunds: readonly RefundRow[] }) {
  const columns: TableColumn<RefundRow>[] = [
    {
      title: t.common.customer,
      cell: ({ id, charge }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          {formatPayer(charge)}
        </Link>
      ),
    },
    { title: t.common.status, cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    {
      title: t.refund.originalMethod,
      cell: ({ method }) => (
        <Muted>
          <WholeWords>{formatMethod(method)}</WholeWords>
        </Muted>
      ),
    },
    {
      title: t.common.amount,
      isEndAligned: true,
      cell: (refund) => <Amount value={refund.customerAmount} currency={refund.customerCurrency} />,
    },
    {
      title: t.common.charge,
      cell: ({ charge }) => <Link to={`/charges/${charge.id}`}>{t.refund.viewCharge}</Link>,
    },
    createdColumn(),
  ];
  return <DataTable label={t.common.refunds} columns={columns} rows={refunds} />;
}
