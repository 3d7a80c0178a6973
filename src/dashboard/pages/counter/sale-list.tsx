import { Badge, Button, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import type { CounterSaleRow } from './counter-queries.ts';

const saleStatuses = {
  open: { color: 'blue', text: t.counter.waiting },
  paying: { color: 'blue', text: t.counter.paying },
  paid: { color: 'teal', text: t.common.paid },
  cancelled: { color: 'gray', text: t.common.cancelled },
  expired: { color: 'gray', text: t.common.expired },
} as const;

export function SaleList(props: { sales: readonly CounterSaleRow[]; onOpen: (id: string) => void }) {
  const { sales, onOpen } = props;
  const columns: TableColumn<CounterSaleRow>[] = [
    {
      title: t.counter.sale,
      cell: ({ amount, currency, itemName, method }) => (
        <>
          <Text size="sm" fw={600} span>
            {formatAmount(amount, currency)}
          </Text>
          <Text size="sm" lineClamp={1}>
            {[itemName, method && formatMethod(method)].filter(Boolean).join(' · ')}
          </Text>
        </>
      ),
    },
    {
      title: t.common.status,
      cell: ({ status }) => (
        <Badge variant="light" color={saleStatuses[status].color} tt="none">
          {saleStatuses[status].text}
        </Badge>
      ),
    },
    { title: t.counter.time, isEndAligned: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      title: t.common.actions,
      isEndAligned: true,
      hasButtons: true,
      cell: (sale) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen(sale.id)}
          aria-label={fillText(t.counter.showAmount, { amount: formatAmount(sale.amount, sale.currency) })}
        >
          {t.counter.show}
        </Button>
      ),
    },
  ];
  return <DataTable label={t.counter.yourSales} columns={columns} rows={sales} />;
}
