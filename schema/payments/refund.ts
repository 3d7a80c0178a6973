import { type RefundReason, refundReasons } from '../../src/domain/payments/refund/create-refund.ts';
import { readAuditedPayoutDetails } from '../../src/domain/payments/refund/read-audited-payout-details.ts';
import {
  canAccessRefundDetails,
  getVisibleDetailsUrl,
} from '../../src/domain/payments/refund/refund-details-page.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { type AliasScheme, aliasSchemes } from '../../src/method/payout-alias.ts';
import type { PayoutDetails } from '../../src/method/payout-details.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, requireMerchantCaller, toRequestContext } from '../kit/graphql-context.ts';
import { redactOnUserReplay } from '../kit/idempotency-plugin.ts';
import { createLoader } from '../kit/loader.ts';
import { toDecimalScalar } from '../scalars.ts';
import { CustomerType } from './customer.ts';
import { metadataOutput } from './metadata.ts';
import { PaymentMethodCode } from './payment-method.ts';

export const refundId = { required: true, description: 'The ID of the refund, `re_…`.' } as const;

export const RefundStatus = builder.enumType('RefundStatus', {
  description:
    'Whether a refund is waiting for bank details, is ready to be paid, was paid or was cancelled.',
  values: {
    initiated: { description: 'The refund is waiting for the customer’s bank details.' },
    processing: { description: 'The bank details have been entered, and the refund is ready to be paid.' },
    completed: { description: 'The money has been sent.' },
    cancelled: { description: 'The refund was cancelled before it was paid.' },
  },
});

const countryNames = { HK: 'Hong Kong', SG: 'Singapore', TH: 'Thailand', IN: 'India', AU: 'Australia' };

export const PayoutSchemeEnum = builder.enumType('PayoutScheme', {
  description: 'A scheme by which banks send money to an alias. More values may be added.',
  values: Object.fromEntries(
    Object.entries(aliasSchemes).map(([scheme, { name, country }]) => [
      scheme,
      {
        description: `${name}, for refunds to customers who paid by a method of ${countryNames[country]}.`,
      },
    ]),
  ) as Record<AliasScheme, { description: string }>,
});

const PayoutDetailsType = builder.objectRef<PayoutDetails>('PayoutDetails').implement({
  description: 'The bank account or the alias to which a refund is paid.',
  fields: (t) => ({
    bank: t.string({
      nullable: true,
      description:
        'The name or number of the bank, depending on the country. Null for an alias, or if the account number includes the bank.',
      resolve: ({ bank }) => bank || null,
    }),
    account: t.exposeString('account', {
      description: 'The number of the bank account or the alias of the `scheme`, in normalized form.',
    }),
    scheme: t.field({
      type: PayoutSchemeEnum,
      nullable: true,
      description: 'The scheme if `account` is an alias, such as a PayNow number. Null for a bank account.',
      resolve: ({ scheme }) => scheme ?? null,
    }),
    accountName: t.exposeString('holder', {
      description: 'The name of the account holder, as it was entered.',
    }),
  }),
});

/** Reads the details of all refunds in a request, and records the access in the audit trail, in one batch. */
const loadPayoutDetails = createLoader<PayoutDetails>((context, ids) =>
  readAuditedPayoutDetails(context.service, { ...toRequestContext(context), ids }),
);

export const RefundReasonEnum = builder.enumType('RefundReason', {
  description: 'The reason for a refund. More values may be added.',
  values: Object.fromEntries(
    Object.entries(refundReasons).map(([reason, text]) => [reason, { description: `${text}.` }]),
  ) as Record<RefundReason, { description: string }>,
});

export const RefundType = builder.prismaNode('Refund', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A refund to the customer of a completed charge.',
  fields: (t) => ({
    status: t.expose('status', {
      type: RefundStatus,
      description:
        'Whether the refund is waiting for bank details, is ready to be paid, was paid or was cancelled.',
    }),
    customerAmount: t.field({
      type: 'Decimal',
      description: 'The refunded amount, in `customerCurrency`.',
      resolve: (refund) => toDecimalScalar(refund.customerAmount, refund.customerCurrency),
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The currency in which the customer paid and is refunded.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method that the customer paid with.',
      select: { charge: { select: { method: true } } },
      resolve: ({ charge }) => charge.method as MethodCode,
    }),
    charge: t.relation('charge', { description: 'The charge whose money is refunded.' }),
    customer: t.field({
      ...merchantOnly,
      nullable: true,
      type: CustomerType,
      description: 'The customer who receives the refund. Null for callers with a client token.',
      select: (_args, _context, nested) => ({ charge: { select: { customer: nested() } } }),
      resolve: ({ charge }) => charge.customer,
    }),
    detailsUrl: t.string({
      ...merchantOnly,
      ...redactOnUserReplay,
      nullable: true,
      description:
        'The URL of the page on which the customer enters bank details. Null if the status is not `initiated`, and for callers without the permission `refund`. In live mode, it is also null for a user with two-factor authentication who has not re-authenticated recently (`reauthenticate`).',
      resolve: (refund, _args, context) =>
        getVisibleDetailsUrl(context.service, refund, {
          caller: requireMerchantCaller(context),
          now: context.clock.now(),
        }),
    }),
    payoutReference: t.exposeString('payoutReference', {
      ...merchantOnly,
      nullable: true,
      description:
        'The payment reference to enter in the payout, by which the payout is identified in your bank statement. Null for callers with a client token.',
    }),
    payoutDetails: t.field({
      ...redactOnUserReplay,
      authScopes: { permission: 'refund' },
      type: PayoutDetailsType,
      nullable: true,
      description:
        'The bank details to which the refund is paid. Null if they have not been entered, and for callers without the permission `refund`. In live mode, they are also null for a user with two-factor authentication who has not re-authenticated recently (`reauthenticate`). Each access is recorded in the audit trail.',
      resolve: ({ id, detailsEncrypted }, _args, context) =>
        detailsEncrypted !== null &&
        canAccessRefundDetails(requireMerchantCaller(context), context.clock.now())
          ? loadPayoutDetails(context, id)
          : undefined,
    }),
    payoutScheme: t.field({
      ...merchantOnly,
      type: PayoutSchemeEnum,
      nullable: true,
      description:
        'The scheme if the refund is paid to an alias, such as a PayNow number. Payment files (`pain_001_001_…`) leave these refunds out; CSV files contain them. Null for a bank account, without details, and for callers with a client token.',
      resolve: ({ payoutScheme }) => payoutScheme as AliasScheme | null,
    }),
    reason: t.field({
      ...merchantOnly,
      type: RefundReasonEnum,
      nullable: true,
      description: 'The reason for the refund. Null if none was given, and for callers with a client token.',
      resolve: ({ reason }) => reason as RefundReason | null,
    }),
    note: t.exposeString('note', {
      ...merchantOnly,
      nullable: true,
      description: 'The note of your team. Null if there is none, and for callers with a client token.',
    }),
    reopenReason: t.exposeString('reopenReason', {
      nullable: true,
      description:
        'The reason why the customer was asked for bank details again. Null if the refund was not reopened.',
    }),
    completionUndoneAt: t.expose('completionUndoneAt', {
      ...merchantOnly,
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which you undid the completion of the refund (`undoRefundCompletion`), which is possible once. Null if you did not, and for callers with a client token.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the money was sent. Null if it has not been sent.',
    }),
    metadata: t.field({
      ...merchantOnly,
      ...metadataOutput,
      description:
        'Your own data about the refund, by key. The list is empty if there is none. Null for callers with a client token.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the refund was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the refund was last updated.',
    }),
  }),
});
