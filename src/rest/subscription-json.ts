import { Type } from 'typebox';
import { chargeSchema, orderSchema } from './charge-json.ts';
import { customerSchema } from './customer-json.ts';

const invoiceSchema = Type.Object(
  {
    id: Type.String(),
    subscriptionId: Type.String(),
    customer: customerSchema,
    chargeId: Type.Optional(
      Type.String({
        description:
          'The ID of the charge with which the invoice is to be paid or was paid. Omitted if no payment method is available. The customer then chooses one.',
      }),
    ),
    checkoutLink: Type.String({
      description: 'The URL of the page on which the customer sees and pays the invoice.',
    }),
    invoiceDueOn: Type.String({
      description: 'The time at which the invoice is due, which is the subscription’s `activeUntil`.',
    }),
  },
  { title: 'Invoice' },
);

const timeOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const subscriptionSchema = Type.Object(
  {
    id: Type.String(),
    subscriptionPlanId: Type.String(),
    customer: customerSchema,
    status: Type.String({
      description: 'The status of the subscription: `inactive`, `active`, `completed` or `cancelled`.',
    }),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    invoices: Type.Array(invoiceSchema, { description: 'The newest 50 invoices of the subscription.' }),
    charges: Type.Array(chargeSchema, { description: 'The newest 50 charges of the subscription.' }),
    nextPayment: timeOrNull('The time at which the next payment is due. Null if no payment is due.'),
    activeUntil: timeOrNull(
      'The time until which the subscription is paid for. Null if the subscription has not started.',
    ),
    numPaymentsComplete: Type.Integer(),
  },
  { title: 'Subscription' },
);

const period = Type.String({ description: 'The unit of the billing period: `days`, `months` or `years`.' });

export const planSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    numPayments: Type.Optional(
      Type.Integer({
        description:
          'The number of payments after which a subscription is completed. Omitted if subscriptions continue until they are cancelled.',
      }),
    ),
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
    invoiceNotice: Type.Integer({
      description: 'The number of days between the creation of the invoice and its due date.',
    }),
    gracePeriod: Type.Integer({
      description: 'The number of days after the due date for which an unpaid subscription stays active.',
    }),
    orders: Type.Array(orderSchema),
    methods: Type.Array(Type.String(), {
      description:
        'The payment methods that customers can choose from. Selected methods that are currently unavailable are left out.',
    }),
    status: Type.String({ description: 'The status of the plan: `active` or `inactive`.' }),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { title: 'SubscriptionPlan' },
);
