import type { Charge } from '../../prisma/client/client.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createCharge } from '../../src/domain/payments/charge/create-charge.ts';
import type { CreatedOrReusedCharge } from '../../src/domain/payments/charge/insert-charges.ts';
import type { ChargeWithRelations } from '../../src/domain/payments/charge/read-charge.ts';
import { sendReceipt } from '../../src/domain/payments/charge/send-receipt.ts';
import { updateChargeNote } from '../../src/domain/payments/charge/update-charge-note.ts';
import { createCancelToken, createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { buildChargeAccessFilter } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
  toMutationContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from './charge.ts';
import { getPlainRelations } from './charge-rows.ts';
import { metadataInput } from './metadata.ts';
import { OrderInput, toOrders } from './order.ts';
import { PaymentMethodCode } from './payment-method.ts';

const CreateChargeInput = builder.inputType('CreateChargeInput', {
  description: 'The terms of the charge to create, and the customer who pays it.',
  fields: (t) => ({
    email: t.string({
      description: 'The customer’s email address. Required unless `verificationCode` is given.',
    }),
    verificationCode: t.string({
      description:
        'The code that `verifyPhone` returned. It identifies the customer by phone number, and can be used for one charge within 5 minutes.',
    }),
    merchantAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount to charge, in major units of `merchantCurrency`.',
    }),
    merchantCurrency: t.field({
      type: 'CurrencyCode',
      required: true,
      description:
        'The currency of `merchantAmount`. The customer pays the converted amount in the currency of the payment method.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method that the customer uses.',
    }),
    orders: t.field({
      type: [OrderInput],
      description: 'The order lines that the customer pays for, at most 100.',
    }),
    notifyPayload: t.string({
      description:
        'Your reference for the charge, at most 4,096 characters. The notifications of the charge include it.',
    }),
    metadata: t.field(metadataInput),
    notifyUrl: t.string({
      description:
        'The URL to which a notification is sent when the charge completes. It must be an https URL; in the sandbox, http is allowed too.',
    }),
    hash: t.string({ description: 'The hash from `createChargeHash`. Required if secure mode is on.' }),
  }),
});

const CreateChargeSuccess = builder.objectRef<CreatedOrReusedCharge>('CreateChargeSuccess').implement({
  description:
    'The result of creating a charge. If an equal charge was already pending, that charge is returned instead.',
  fields: (t) => ({
    charge: t.prismaField({
      type: ChargeType,
      description: 'The new charge, or the equal charge that was already pending.',
      resolve: (query, { charge }, _args, context) => selectCreatedCharge(query, charge, context),
    }),
    isDuplicate: t.exposeBoolean('isReused', {
      description:
        'Whether the charge is an equal charge that was already pending. If true, no new charge was created.',
    }),
    cancelToken: t.string({
      description:
        'The token with which your page in the customer’s browser can cancel the charge in the REST API without an API key, sent as the header `Cancel-Token`.',
      resolve: ({ charge }, _args, { service }) => createCancelToken(service.secrets, charge),
    }),
    clientToken: t.string({
      description:
        'The token with which your page in the customer’s browser can read, follow and cancel this charge, sent as `Authorization: Bearer <clientToken>`. The token expires 24 hours after the charge has ended.',
      resolve: ({ charge }, _args, { service }) => createClientToken(service.secrets, charge),
    }),
  }),
});

/** Reads the selected fields of a new or reused charge, which is pending and therefore has no refunds. */
async function selectCreatedCharge(query: object, charge: Charge, context: GraphqlContext): Promise<Charge> {
  const { prisma } = context.service;
  const relations = getPlainRelations(query, context);
  if (!relations) return prisma.charge.findUniqueOrThrow({ ...query, where: { id: charge.id } });
  const customer =
    relations.customer && (await prisma.customer.findUniqueOrThrow({ where: { id: charge.customerId } }));
  return { ...charge, refunds: [], ...(customer && { customer }) } as ChargeWithRelations;
}

builder.mutationField('createCharge', (t) =>
  t.field({
    type: CreateChargeSuccess,
    errors: {},
    twoFactor: 'never',
    isRestricted: true,
    authScopes: { permission: 'write' },
    description:
      'Creates a charge on the customer’s behalf. In live mode, this requires restricted access (`Merchant.restrictedAccess`). The mutation fails with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if the amount cannot be charged with the payment method; with `verification_code_invalid` if the `verificationCode` cannot be used; with `hash_required` or `hash_mismatch` in secure mode; and with `target_refused` if `notifyUrl` points to a private address. Requires the permission `write`.',
    args: { input: t.arg({ type: CreateChargeInput, required: true, description: 'The charge to create.' }) },
    resolve: (_root, { input }, context) => {
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const times = { now: getMerchantTime(context), systemNow: context.clock.now() };
      return createCharge(context.service, {
        merchant,
        mode,
        actor,
        input: { ...input, orders: toOrders(input.orders) },
        ...times,
        audit: toAuditContext(context),
      });
    },
  }),
);

const SendReceiptInput = builder.inputType('SendReceiptInput', {
  description: 'The charge whose receipt is sent.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of a completed charge, `ch_…`.' }) }),
});

const SendReceiptSuccess = successType('SendReceiptSuccess', {
  description: 'The result of sending a receipt. The email is in the queue.',
  fields: { charge: { type: ChargeType, description: 'The charge, which has not changed.' } },
});

builder.mutationField('sendReceipt', (t) =>
  t.field({
    type: SendReceiptSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Emails the receipt of a completed charge to its customer, at most once in each hour, even if `areReceiptsEmailed` is off. The mutation fails with `charge_not_found`, with `rate_limited` within the hour, or with `invalid_request` if the charge is not completed, has no email address, or its payment was reversed. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: SendReceiptInput,
        required: true,
        description: 'The charge whose receipt is sent.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      charge: await sendReceipt(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);

const CancelChargeInput = builder.inputType('CancelChargeInput', {
  description: 'The charge to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }) }),
});

const CancelChargeSuccess = successType('CancelChargeSuccess', {
  description: 'The result of cancelling a pending charge.',
  fields: { charge: { type: ChargeType, description: 'The charge, with the status `cancelled`.' } },
});

builder.mutationField('cancelCharge', (t) =>
  t.field({
    type: CancelChargeSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: (_root, _args, { caller }) =>
      caller.kind === 'clientToken' ? { clientToken: true } : { permission: 'write' },
    description:
      'Cancels a pending charge. Money that the charge has received becomes unmatched. A client token can cancel only the charge that it was issued for, or the charge of its session, and only until money has been received. The mutation fails with `charge_not_found`, or with `charge_not_pending` if the charge can no longer be cancelled. Requires the permission `write`.',
    args: { input: t.arg({ type: CancelChargeInput, required: true, description: 'The charge to cancel.' }) },
    resolve: async (_root, { input }, context) => {
      const requester = await getRequester(context, input.id);
      const options = {
        ...getMerchantScope(context),
        id: input.id,
        ...requester,
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { charge: await cancelCharge(context.service, options) };
    },
  }),
);

/**
 * Returns the actor of a cancellation. A caller with a client token can cancel only a charge that the caller may see.
 */
async function getRequester(context: GraphqlContext, id: string) {
  const { caller, service } = context;
  if (caller.kind !== 'clientToken') return { by: 'merchant', actor: caller.actor } as const;
  const visible = await service.prisma.charge.count({ where: buildChargeAccessFilter(context, id) });
  if (visible === 0) throw new DomainError('charge_not_found', `Charge not found: ${id}`);
  return { by: 'customer', actor: 'customer' } as const;
}

const CompleteSandboxChargeInput = builder.inputType('CompleteSandboxChargeInput', {
  description: 'The sandbox charge to complete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }) }),
});

const CompleteSandboxChargeSuccess = successType('CompleteSandboxChargeSuccess', {
  description: 'The result of completing a pending sandbox charge.',
  fields: { charge: { type: ChargeType, description: 'The charge, with the status `completed`.' } },
});

builder.mutationField('completeSandboxCharge', (t) =>
  t.field({
    type: CompleteSandboxChargeSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Completes a pending sandbox charge as if the customer had paid. The mutation fails with `charge_not_found`, with `charge_not_pending`, or with `sandbox_only` in live mode. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: CompleteSandboxChargeInput,
        required: true,
        description: 'The sandbox charge to complete.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const options = { ...toMutationContext(context), ...input };
      return { charge: await completeSandboxCharge(context.service, options) };
    },
  }),
);

const UpdateChargeNoteInput = builder.inputType('UpdateChargeNoteInput', {
  description: 'The charge and the new note.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }),
    note: t.string({
      description: 'Your note about the charge, at most 2,000 characters. If omitted or null, it is removed.',
    }),
  }),
});

const UpdateChargeNoteSuccess = successType('UpdateChargeNoteSuccess', {
  description: 'The result of changing the note about a charge.',
  fields: { charge: { type: ChargeType, description: 'The charge with the new note.' } },
});

builder.mutationField('updateChargeNote', (t) =>
  t.field({
    type: UpdateChargeNoteSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Changes your note about a charge, which customers never see. The mutation fails with `charge_not_found`. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: UpdateChargeNoteInput,
        required: true,
        description: 'The charge and the new note.',
      }),
    },
    resolve: async (_root, { input: { id, note } }, context) => ({
      charge: await updateChargeNote(context.service, {
        ...toMutationContext(context),
        id,
        note: note ?? null,
      }),
    }),
  }),
);
