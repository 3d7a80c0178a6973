import { amountColumn, madeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { InvoiceRow } from './invoice-row.ts';

const number: Column<InvoiceRow> = {
  title: 'Invoice',
  cell: (invoice) => (
    <Link to={`/invoices/${invoice.id}`} fw={600}>
      {`Invoice ${invoice.number}`}
    </Link>
  ),
};

const others: Column<InvoiceRow>[] = [
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`invoice_${status}`} /> },
  amountColumn(),
  { title: 'Due', end: true, cell: ({ invoiceDueOn }) => <Moment at={invoiceDueOn} form="day" /> },
  madeColumn('day'),
];

/** Of one subscription; `more` are columns beside its number, such as whose it is. */
export function InvoiceTable<Row extends InvoiceRow>(props: {
  invoices: readonly Row[];
  more?: Column<Row>[];
}) {
  const { invoices, more = [] } = props;
  return <DataTable label="Invoices" columns={[number, ...more, ...others]} rows={invoices} />;
}
