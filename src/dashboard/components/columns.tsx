import { Amount } from './amount.tsx';
import type { TableColumn } from './data-table.tsx';
import { Moment } from './moment.tsx';
import { Muted } from './muted.tsx';

/** When something was made; of what is made by the day, the day. */
export function createdColumn<Row extends { createdAt: string }>(
  format: 'short' | 'day' = 'short',
): TableColumn<Row> {
  return {
    title: 'Created',
    end: true,
    cell: ({ createdAt }) => (
      <Muted>
        <Moment at={createdAt} format={format} />
      </Muted>
    ),
  };
}

/** An amount with its currency. */
export function amountColumn<Row extends { amount: string; currency: string }>(): TableColumn<Row> {
  return {
    title: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  };
}
