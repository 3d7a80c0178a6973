import type { Order } from '../../src/domain/platform/order.ts';
import { builder } from '../kit/builder.ts';

export const OrderType = builder.objectRef<Order>('Order').implement({
  description: 'One line of what is paid for. Every field is as you gave it.',
  fields: (t) => ({
    id: t.string({
      nullable: true,
      description: 'Your own id for it. It is not unique, so a client’s cache must not use it as a key.',
      resolve: (order) => order.id,
    }),
    name: t.string({ nullable: true, description: 'What it is.', resolve: (order) => order.name }),
    quantity: t.int({ nullable: true, description: 'How many, from 1.', resolve: (order) => order.quantity }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What it costs, in the merchant’s currency.',
      resolve: (order) => order.amount,
    }),
  }),
});

export const OrderInput = builder.inputType('OrderInput', {
  description: 'One line of what is paid for. Each field is optional; at least one must be there.',
  fields: (t) => ({
    id: t.string({ description: 'Your own id for it, at most 500 characters.' }),
    name: t.string({ description: 'What it is, at most 500 characters.' }),
    quantity: t.int({ description: 'How many, from 1.' }),
    amount: t.field({ type: 'Decimal', description: 'What it costs, from 0, in the merchant’s currency.' }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'When given, it must be the merchant’s currency.',
    }),
  }),
});
