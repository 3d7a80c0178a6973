import { fillText } from '../../../language/fill-text.ts';
import { amountColumn, createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/texts.ts';
import { getInvoiceBadge, type InvoiceRow } from './invoice-row.ts';

const numberColumn: TableColumn<InvoiceRow> = {
  title: t.common.invoice,
  cell: (invoice) => (
    <Link to={`/invoices/${invoice.id}`} fw={600}>
      {fillText(t.common.invoiceNumber, { number: invoice.number })}
    </Link>
  ),
};

const otherColumns: TableColumn<InvoiceRow>[] = [
  { title: t.common.status, cell: (invoice) => <StatusBadge status={getInvoiceBadge(invoice)} /> },
  amountColumn(),
  { title: t.invoice.due, isEndAligned: true, cell: ({ dueAt }) => <Moment at={dueAt} format="day" /> },
  createdColumn('day'),
];

/** `extraColumns` follow the number, for example a column with the customer. */
export function InvoiceTable<Row extends InvoiceRow>(props: {
  invoices: readonly Row[];
  extraColumns?: TableColumn<Row>[];
}) {
  const { invoices, extraColumns = [] } = props;
  return (
    <DataTable
      label={t.common.invoices}
      columns={[numberColumn, ...extraColumns, ...otherColumns]}
      rows={invoices}
      hasLabels
    />
  );
}
