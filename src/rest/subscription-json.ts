import { Type } from 'typebox';
import { chargeSchema, orderSchema } from './charge-json.ts';
import { customerSchema } from './customer-json.ts';
import { metadataSchema } from './metadata.ts';
import { isoTimeSchema } from './timestamp.ts';

export const invoiceSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the invoice, `in_…`.' }),
    subscriptionId: Type.String({
      description: 'The ID of the subscription that the invoice renews, `sub_…`.',
    }),
    number: Type.Integer({
      description: 'The number of the invoice in your series, which starts at 1 and has no gaps.',
    }),
    status: Type.String({ description: 'The status of the invoice: `open`, `paid` or `void`.' }),
    amount: Type.Number({ description: 'The invoiced amount, in `currency`.' }),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of the plan.' }),
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
    pdfUrl: Type.String({
      description: 'The URL of the invoice as a PDF. Anyone with the URL can open it.',
    }),
    invoiceDueOn: isoTimeSchema(
      'The time at which the invoice is due, which is the subscription’s `activeUntil`.',
    ),
  },
  { title: 'Invoice', description: 'The invoice of a recurring payment.' },
);

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const subscriptionSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the subscription, `sub_…`.' }),
    subscriptionPlanId: Type.String({ description: 'The ID of the plan that defines the terms, `pl_…`.' }),
    customer: customerSchema,
    status: Type.String({
      description: 'The status of the subscription: `inactive`, `active`, `completed` or `cancelled`.',
    }),
    phase: Type.String({
      description:
        'The status in more detail: `awaiting_first_payment` or `paused` if it is `inactive`; otherwise the same as `status`.',
    }),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference, which is copied to each charge of the subscription. Omitted if there is none.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    createdAt: isoTimeSchema('The time at which the customer enrolled.'),
    updatedAt: isoTimeSchema('The time at which the subscription was last updated.'),
    invoices: Type.Array(invoiceSchema, { description: 'The newest 50 invoices of the subscription.' }),
    charges: Type.Array(chargeSchema, { description: 'The newest 50 charges of the subscription.' }),
    nextPayment: timeOrNull('The time at which the next payment is due. Null if no payment is due.'),
    activeUntil: timeOrNull(
      'The time until which the subscription is paid for. Null if the subscription has not started.',
    ),
    numPaymentsComplete: Type.Integer({ description: 'The number of payments completed so far.' }),
  },
  { title: 'Subscription', description: 'The subscription of a customer to a plan.' },
);

const period = Type.String({ description: 'The unit of the billing period: `days`, `months` or `years`.' });

export const planSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the plan, `pl_…`.' }),
    name: Type.String({ description: 'The name that customers see.' }),
    numPayments: Type.Optional(
      Type.Integer({
        description:
          'The number of payments after which a subscription is completed. Omitted if subscriptions continue until they are cancelled.',
      }),
    ),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of the amounts.' }),
    recurringPayment: Type.Object(
      {
        amount: Type.Number({ description: 'The amount of each payment, in the currency of the plan.' }),
        period,
        count: Type.Integer({ description: 'The number of units in a billing period, from 1 to 400.' }),
      },
      { title: 'RecurringPayment', description: 'The amount and frequency of the recurring payment.' },
    ),
    initialPayment: Type.Optional(
      Type.Object(
        {
          amount: Type.Optional(
            Type.Number({
              description:
                'The amount of the first payment. It is zero if there is no first payment, and omitted if the first payment has the recurring amount.',
            }),
          ),
          period: Type.Optional(period),
          count: Type.Optional(
            Type.Integer({
              description:
                'The number of units between the first and the second payment. Omitted if this time is one billing period.',
            }),
          ),
        },
        {
          title: 'InitialPayment',
          description:
            'The terms of the first payment. Omitted if they are the same as those of the recurring payment.',
        },
      ),
    ),
    sendEmail: Type.Boolean({ description: 'Whether invoices and reminders are emailed to customers.' }),
    invoiceNotice: Type.Integer({
      description: 'The number of days between the creation of the invoice and its due date.',
    }),
    gracePeriod: Type.Integer({
      description: 'The number of days after the due date for which an unpaid subscription stays active.',
    }),
    orders: Type.Array(orderSchema, {
      description: 'The order lines that customers pay for, which are copied to every charge.',
    }),
    methods: Type.Array(Type.String(), {
      description:
        'The payment methods that customers can choose from. Selected methods that are currently unavailable are omitted.',
    }),
    tax: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'The name of the tax, such as `GST`.' }),
          rate: Type.Number({ description: 'The rate in percent.' }),
          isInclusive: Type.Boolean({
            description:
              'Whether the amounts of the plan include the tax. Otherwise, customers pay it in addition.',
          }),
        },
        { title: 'Tax', description: 'The tax on the amounts. Omitted if there is none.' },
      ),
    ),
    status: Type.String({ description: 'The status of the plan: `active` or `inactive`.' }),
    createdAt: isoTimeSchema('The time at which the plan was created.'),
    updatedAt: isoTimeSchema('The time at which the plan was last updated.'),
  },
  { title: 'SubscriptionPlan', description: 'The terms of subscriptions.' },
);
