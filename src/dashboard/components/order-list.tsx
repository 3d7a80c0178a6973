import { Amount } from './amount.tsx';

type OrderListItem = {
  id: string | null;
  name: string | null;
  quantity: number | null;
  amount: string | null;
};

/** What is paid for, a line each. */
export function OrderList({ orders, currency }: { orders: readonly OrderListItem[]; currency: string }) {
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.1rem' }}>
      {orders.map((order, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order have no other name and never move.
        <li key={i}>
          {[order.quantity !== null && `${order.quantity} ×`, order.name ?? order.id]
            .filter(Boolean)
            .join(' ')}{' '}
          {order.amount !== null && <Amount value={order.amount} currency={currency} />}
        </li>
      ))}
    </ul>
  );
}
