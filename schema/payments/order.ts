import type { OrderLine } from '../../src/domain/platform/order-line.ts';
import { builder } from '../kit/builder.ts';

export const OrderType = builder.objectRef<OrderLine>('Order').implement({
  description:
    'An order line that the customer pays for. Every field has the value that you sent, or null if you omitted it.',
  fields: (t) => ({
    orderId: t.string({
      nullable: true,
      description: 'Your own ID of the order or item. It does not have to be unique.',
      resolve: (order) => order.id,
    }),
    name: t.string({
      nullable: true,
      description: 'The name of the item, such as `Oolong, 250 g`.',
      resolve: (order) => order.name,
    }),
    quantity: t.int({
      nullable: true,
      description: 'The number of items, at least 1.',
      resolve: (order) => order.quantity,
    }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The price of the item, in the currency in which you charge.',
      resolve: (order) => order.amount,
    }),
  }),
});

type OrderFields = { orderId?: string | null | undefined };

/**
 * Renames `orderId` to `id`, as REST, webhooks and hashes call it. GraphQL uses another name, because client
 * caches treat `id` as a unique key.
 */
export function toOrders<Fields extends OrderFields>(orders: readonly Fields[] | null | undefined) {
  return orders == null ? orders : orders.map(({ orderId, ...order }) => ({ ...order, id: orderId }));
}

export const OrderInput = builder.inputType('OrderInput', {
  description:
    'An order line that the customer pays for. Each field is optional, but at least one is required.',
  fields: (t) => ({
    orderId: t.string({
      description: 'Your own ID of the order or item, at most 500 characters. It does not have to be unique.',
    }),
    name: t.string({ description: 'The name of the item, at most 500 characters.' }),
    quantity: t.int({ description: 'The number of items, at least 1.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'The price of the item in major units, at least 0, in the currency in which you charge.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the price. If provided, it must be the currency in which you charge.',
    }),
  }),
});
