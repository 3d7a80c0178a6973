import { Text } from '@mantine/core';
import { t } from '../language/texts.ts';
import { Amount } from './amount.tsx';

type OrderListItem = {
  orderId: string | null;
  name: string | null;
  quantity: number | null;
  amount: string | null;
};

/** Warns if the order items add up to an amount other than the price. */
export function OrderList(props: {
  orders: readonly OrderListItem[];
  currency: string;
  hasMismatch: boolean | null;
}) {
  const { orders, currency, hasMismatch } = props;
  const list = (
    <ul style={{ margin: 0, paddingInlineStart: '1.1rem' }}>
      {orders.map((order, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: order items have no unique key and never move.
        <li key={i}>
          {order.quantity !== null && `${order.quantity} × `}
          {[order.name, order.orderId].filter(Boolean).join(' · ')}{' '}
          {order.amount !== null && <Amount value={order.amount} currency={currency} />}
        </li>
      ))}
    </ul>
  );
  return hasMismatch ? (
    <>
      {list}
      <OrderMismatch />
    </>
  ) : (
    list
  );
}

export function OrderMismatch() {
  return (
    <Text size="sm" c="var(--causeway-error)">
      {t.components.theItemsDontAdd}
    </Text>
  );
}
