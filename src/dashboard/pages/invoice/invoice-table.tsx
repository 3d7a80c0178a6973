import { amountColumn, madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { InvoiceRow } from './invoice-row.ts';

const columns: Column<InvoiceRow>[] = [
  {
    title: 'Invoice',
    cell: ({ id, number }) => (
      <Link to={`/invoices/${id}`} fw={600}>
        {`Invoice ${number}`}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`invoice_${status}`} /> },
  amountColumn(),
  { title: 'Due', end: true, cell: ({ invoiceDueOn }) => <Moment at={invoiceDueOn} form="day" /> },
  madeColumn('day'),
];

/** Of one subscription; `before` puts columns in front, such as whose they are. */
export function InvoiceTable<Row extends InvoiceRow>(props: {
  invoices: readonly Row[];
  more?: Column<Row>[];
}) {
  const { invoices, more = [] } = props;
  const [name, ...others] = columns;
  return <DataTable label="Invoices" columns={[name!, ...more, ...others]} rows={invoices} />;
}
