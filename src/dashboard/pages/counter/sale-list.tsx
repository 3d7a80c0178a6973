import { Badge, Button, Text } from '@mantine/core';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatAmount } from '../../format/amount.ts';
import type { CounterSaleRow } from './counter-queries.ts';

/** The color and text of each status. */
const saleStatuses = {
  open: { color: 'blue', text: 'Waiting' },
  paying: { color: 'blue', text: 'Paying' },
  paid: { color: 'teal', text: 'Paid' },
  cancelled: { color: 'gray', text: 'Cancelled' },
  expired: { color: 'gray', text: 'Expired' },
} as const;

export function SaleList(props: {
  sales: readonly CounterSaleRow[];
  onOpen: (sale: CounterSaleRow) => void;
}) {
  const { sales, onOpen } = props;
  const columns: TableColumn<CounterSaleRow>[] = [
    {
      title: 'Sale',
      cell: ({ amount, currency, itemName }) => (
        <>
          <Text size="sm" fw={600} span>
            {formatAmount(amount, currency)}
          </Text>
          {itemName !== null && (
            <Text size="sm" lineClamp={1}>
              {itemName}
            </Text>
          )}
        </>
      ),
    },
    {
      title: 'Status',
      cell: ({ status }) => (
        <Badge variant="light" color={saleStatuses[status].color} tt="none">
          {saleStatuses[status].text}
        </Badge>
      ),
    },
    { title: 'Time', isEndAligned: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      title: 'Actions',
      isEndAligned: true,
      hasButtons: true,
      cell: (sale) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen(sale)}
          aria-label={`Show ${formatAmount(sale.amount, sale.currency)}`}
        >
          Show
        </Button>
      ),
    },
  ];
  return <DataTable label="Your sales" columns={columns} rows={sales} />;
}
