import type { MethodCode } from '../src/method/catalogue.ts';
import { merchantOnly } from './access.ts';
import { builder } from './builder.ts';
import { CustomerType } from './customer.ts';
import { owned } from './graphql-context.ts';
import { PaymentMethodCode } from './payment-method.ts';
import { decimal } from './scalars.ts';

const RefundStatus = builder.enumType('RefundStatus', {
  description: 'Where a refund stands.',
  values: {
    initiated: { description: 'Waiting for the customer to enter where the money goes.' },
    processing: { description: 'The customer has told where the money goes.' },
    completed: { description: 'The money has been sent.' },
    cancelled: { description: 'Withdrawn before the customer told where the money goes.' },
  },
});

builder.prismaNode('Refund', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'Money given back to the customer of a completed charge.',
  fields: (t) => ({
    status: t.expose('status', { type: RefundStatus, description: 'Where it stands.' }),
    customerAmount: t.field({
      type: 'Decimal',
      description: 'How much, in the customer’s currency.',
      resolve: (refund) => decimal(refund.customerAmount, refund.customerCurrency),
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The customer’s currency.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'How the customer had paid.',
      select: { charge: { select: { method: true } } },
      resolve: ({ charge }) => charge.method as MethodCode,
    }),
    charge: t.relation('charge', { description: 'What is refunded.' }),
    customer: t.field({
      ...merchantOnly,
      type: CustomerType,
      description: 'Who gets the money.',
      select: (_args, _context, nested) => ({ charge: { select: { customer: nested() } } }),
      resolve: ({ charge }) => charge.customer,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});
