import {
  type CustomerTotal,
  sumCustomerPayments,
} from '../../src/domain/payments/customer/sum-customer-payments.ts';
import { updateCustomerNote } from '../../src/domain/payments/customer/update-customer-note.ts';
import { SubscriptionContractType } from '../billing/subscription.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, toMutationContext } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { successType } from '../kit/success-type.ts';
import { toDecimalScalar } from '../scalars.ts';
import { ChargeType } from './charge.ts';
import { CustomerType } from './customer.ts';
import { RefundType } from './refund.ts';

const recentMax = 20;

const CustomerTotalType = builder.objectRef<CustomerTotal>('CustomerTotal').implement({
  description: 'The amounts that a customer paid and was refunded, in one currency.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the amounts.',
      resolve: ({ currency }) => currency,
    }),
    chargeCount: t.int({
      description: 'The number of completed charges in `paidAmount`.',
      resolve: ({ chargeCount }) => chargeCount,
    }),
    paidAmount: t.field({
      type: 'Decimal',
      description:
        'The sum of the amounts received for completed charges, in `currency`. A charge that was completed with `completeSandboxCharge` is included with the amount charged.',
      resolve: ({ paid, currency }) => toDecimalScalar(paid, currency),
    }),
    refundedAmount: t.field({
      type: 'Decimal',
      description: 'The sum of the completed refunds, in `currency`.',
      resolve: ({ refunded, currency }) => toDecimalScalar(refunded, currency),
    }),
  }),
});

const newestRows = { orderBy: { id: 'desc' }, take: recentMax } as const;

const loadTotals = createLoader(async ({ service, ...context }, ids) =>
  sumCustomerPayments(service, { ...getMerchantScope(context), ids }),
);

const loadRefunds = createLoader(async (context, ids) => {
  const rows = await context.service.prisma.refund.findMany({
    where: { ...getMerchantScope(context), charge: { customerId: { in: ids } } },
    include: { charge: { select: { customerId: true } } },
    orderBy: { id: 'desc' },
  });
  return Map.groupBy(rows, ({ charge }) => charge.customerId);
});

builder.prismaObjectFields('Customer', (t) => ({
  totals: t.field({
    type: [CustomerTotalType],
    description: 'The amounts that the customer paid and was refunded, by currency.',
    resolve: async ({ id }, _args, context) => (await loadTotals(context, id)) ?? [],
  }),
  recentCharges: t.relation('charges', {
    type: ChargeType,
    description: `The newest ${recentMax} charges of the customer, newest first.`,
    query: newestRows,
  }),
  recentRefunds: t.field({
    type: [RefundType],
    description: `The newest ${recentMax} refunds of the customer, newest first.`,
    resolve: async ({ id }, _args, context) =>
      ((await loadRefunds(context, id)) ?? [])
        .slice(0, recentMax)
        .map(({ charge: _charge, ...refund }) => refund),
  }),
  recentSubscriptions: t.relation('subscriptions', {
    type: SubscriptionContractType,
    description: `The newest ${recentMax} subscriptions of the customer, newest first.`,
    query: newestRows,
  }),
}));

const UpdateCustomerNoteInput = builder.inputType('UpdateCustomerNoteInput', {
  description: 'The customer and the new note.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the customer, `cus_…`.' }),
    note: t.string({
      description:
        'Your note about the customer, at most 2,000 characters. If omitted or null, it is removed.',
    }),
  }),
});

const UpdateCustomerNoteSuccess = successType('UpdateCustomerNoteSuccess', {
  description: 'The result of changing the note about a customer.',
  fields: { customer: { type: CustomerType, description: 'The customer with the new note.' } },
});

builder.mutationField('updateCustomerNote', (t) =>
  t.field({
    type: UpdateCustomerNoteSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Changes your note about a customer. The mutation fails with `customer_not_found`. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: UpdateCustomerNoteInput,
        required: true,
        description: 'The customer and the new note.',
      }),
    },
    resolve: async (_root, { input: { id, note } }, context) => ({
      customer: await updateCustomerNote(context.service, {
        ...toMutationContext(context),
        id,
        note: note ?? null,
      }),
    }),
  }),
);
