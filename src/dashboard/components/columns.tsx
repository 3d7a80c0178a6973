import { Amount } from './amount.tsx';
import type { Column } from './data-table.tsx';
import { Moment } from './moment.tsx';
import { Quiet } from './quiet.tsx';

/** When something was made; of what is made by the day, the day. */
export function madeColumn<Row extends { createdAt: string }>(form: 'short' | 'day' = 'short'): Column<Row> {
  return {
    title: 'Created',
    end: true,
    cell: ({ createdAt }) => (
      <Quiet>
        <Moment at={createdAt} form={form} />
      </Quiet>
    ),
  };
}

/** An amount with its currency. */
export function amountColumn<Row extends { amount: string; currency: string }>(): Column<Row> {
  return {
    title: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  };
}
