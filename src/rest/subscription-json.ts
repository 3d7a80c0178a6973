import { Type } from 'typebox';
import { chargeSchema, orderSchema } from './charge-json.ts';
import { customerSchema } from './customer-json.ts';

const invoiceSchema = Type.Object(
  {
    id: Type.String(),
    subscriptionId: Type.String(),
    customer: customerSchema,
    chargeId: Type.Optional(
      Type.String({ description: 'Left out while no method can take the payment: the customer chooses one' }),
    ),
    checkoutLink: Type.String({ description: 'Where the customer makes the payment' }),
    invoiceDueOn: Type.String({ description: 'When it is due: the subscription’s activeUntil' }),
  },
  { title: 'Invoice' },
);

const timeOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const subscriptionSchema = Type.Object(
  {
    id: Type.String(),
    subscriptionPlanId: Type.String(),
    customer: customerSchema,
    status: Type.String({ description: '`inactive`, `active`, `completed` or `cancelled`' }),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    invoices: Type.Array(invoiceSchema, { description: 'The newest 50' }),
    charges: Type.Array(chargeSchema, { description: 'The newest 50' }),
    nextPayment: timeOrNull('When the next payment is due'),
    activeUntil: timeOrNull('Until when it is paid for; null before the first payment'),
    numPaymentsComplete: Type.Integer(),
  },
  { title: 'Subscription' },
);

const period = Type.String({ description: '`days`, `months` or `years`' });

export const planSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    numPayments: Type.Optional(Type.Integer({ description: 'Left out: until cancelled' })),
    currency: Type.String(),
    recurringPayment: Type.Object({ amount: Type.Number(), period, count: Type.Integer() }),
    initialPayment: Type.Optional(
      Type.Object({
        amount: Type.Optional(Type.Number()),
        period: Type.Optional(period),
        count: Type.Optional(Type.Integer()),
      }),
    ),
    sendEmail: Type.Boolean(),
    invoiceNotice: Type.Integer({ description: 'Days from the invoice to the due date' }),
    gracePeriod: Type.Integer({ description: 'Days from the due date to the pause' }),
    orders: Type.Array(orderSchema),
    methods: Type.Array(Type.String(), { description: 'Those available, of the ones that were named' }),
    status: Type.String({ description: '`active` or `inactive`' }),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { title: 'SubscriptionPlan' },
);
