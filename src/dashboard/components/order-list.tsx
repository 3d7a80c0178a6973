import { Amount } from './amount.tsx';

type OrderListItem = {
  orderId: string | null;
  name: string | null;
  quantity: number | null;
  amount: string | null;
};

/** Lists order items. */
export function OrderList({ orders, currency }: { orders: readonly OrderListItem[]; currency: string }) {
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.1rem' }}>
      {orders.map((order, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: order items have no unique key and never move.
        <li key={i}>
          {[order.quantity !== null && `${order.quantity} ×`, order.name ?? order.orderId]
            .filter(Boolean)
            .join(' ')}{' '}
          {order.amount !== null && <Amount value={order.amount} currency={currency} />}
        </li>
      ))}
    </ul>
  );
}
