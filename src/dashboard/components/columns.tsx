import { t } from '../language/texts.ts';
import { Amount } from './amount.tsx';
import type { TableColumn } from './data-table.tsx';
import { Moment } from './moment.tsx';
import { Muted } from './muted.tsx';

/** A column with the creation time; `day` omits the time of day. */
export function createdColumn<Row extends { createdAt: string }>(
  format: 'short' | 'day' = 'short',
): TableColumn<Row> {
  return {
    title: t.common.created,
    isEndAligned: true,
    cell: ({ createdAt }) => (
      <Muted>
        <Moment at={createdAt} format={format} />
      </Muted>
    ),
  };
}

export function amountColumn<Row extends { amount: string; currency: string }>(): TableColumn<Row> {
  return {
    title: t.common.amount,
    isEndAligned: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  };
}
