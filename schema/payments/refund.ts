import { mayDirectRefunds, shownDetailsUrl } from '../../src/domain/payments/refund/details-url.ts';
import { readPayoutDetailsOf } from '../../src/domain/payments/refund/read-payout-details-of.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import type { PayoutDetails } from '../../src/method/payout-details.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { acting, merchantCaller, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { withheldFromUsers } from '../kit/once-plugin.ts';
import { decimal } from '../scalars.ts';
import { CustomerType } from './customer.ts';
import { PaymentMethodCode } from './payment-method.ts';

export const RefundStatus = builder.enumType('RefundStatus', {
  description: 'Where a refund stands.',
  values: {
    initiated: { description: 'Waiting for the customer to enter where the money goes.' },
    processing: { description: 'The customer has told where the money goes.' },
    completed: { description: 'The money has been sent.' },
    cancelled: { description: 'Withdrawn before the customer told where the money goes.' },
  },
});

const PayoutDetailsType = builder.objectRef<PayoutDetails>('PayoutDetails').implement({
  description: 'Where a customer wants money back.',
  fields: (t) => ({
    bank: t.exposeString('bank', {
      description:
        'Name or number of the bank, whichever the country uses; empty where the account names it.',
    }),
    account: t.exposeString('account', { description: 'The account number.' }),
    holder: t.exposeString('holder', { description: 'The holder of the account.' }),
  }),
});

/** Those of one request are read, and recorded in the audit trail, together. */
const loadPayoutDetails = createLoader<PayoutDetails>((context, ids) =>
  readPayoutDetailsOf(context.service, { ...acting(context), ids }),
);

export const RefundType = builder.prismaNode('Refund', {
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
    detailsUrl: t.string({
      ...merchantOnly,
      ...withheldFromUsers,
      nullable: true,
      description:
        'While `initiated`: the page where the customer tells where the money goes. Null without the permission `refund`, and in live mode for a user with two-factor authentication who has not re-authenticated recently (`reauthenticate`).',
      resolve: (refund, _args, context) =>
        shownDetailsUrl(context.service, refund, {
          caller: merchantCaller(context),
          now: context.clock.now(),
        }),
    }),
    payoutReference: t.exposeString('payoutReference', {
      ...merchantOnly,
      description: 'The word to send the money with, by which it is found in your bank statement.',
    }),
    payoutDetails: t.field({
      ...withheldFromUsers,
      authScopes: { permission: 'refund' },
      type: PayoutDetailsType,
      nullable: true,
      description:
        'Where the customer wants the money, once they have entered it. Permission: `refund`. Null in live mode for a user with two-factor authentication who has not re-authenticated recently (`reauthenticate`). Reading it is recorded in the audit trail.',
      resolve: ({ id, detailsEncrypted }, _args, context) =>
        detailsEncrypted !== null && mayDirectRefunds(merchantCaller(context), context.clock.now())
          ? loadPayoutDetails(context, id)
          : undefined,
    }),
    reopenReason: t.exposeString('reopenReason', {
      nullable: true,
      description: 'Why the customer is asked again where the money goes.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the money was sent.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});
