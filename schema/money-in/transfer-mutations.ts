import type { Charge, Transfer } from '../../prisma/client/client.ts';
import {
  recordTransfers,
  type TransferItemResult,
  transfersMax,
} from '../../src/domain/money-in/transfer/record/record-transfers.ts';
import { invalidInputError } from '../../src/kit/errors.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { TransferDirection, TransferExceptionReason, TransferStatus, TransferType } from './transfer.ts';

const TransferInput = builder.inputType('TransferInput', {
  description: 'A transfer to record, as the bank reported it.',
  fields: (t) => ({
    bankReference: t.string({
      required: true,
      description:
        'The bank’s own identifier of the transfer, at most 255 characters. It must be the same whenever the transfer is reported again.',
    }),
    receivingAccountId: t.id({
      description:
        'The ID of the receiving account, `acc_…`. Alternatively, provide both `method` and `account`.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description:
        'The payment method of the receiving account. Required, together with `account`, unless you provide `receivingAccountId`.',
    }),
    account: t.string({
      description:
        'The number of the receiving account. Required, together with `method`, unless you provide `receivingAccountId`.',
    }),
    amount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount of the transfer, in major units of `currency`.',
    }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency of `amount`.' }),
    reference: t.string({
      required: true,
      description:
        'The text that the payer wrote, which should contain the payment reference. At most 1,000 characters.',
    }),
    payerName: t.string({ description: 'The name of the payer, at most 200 characters.' }),
    paidAt: t.string({
      required: true,
      description:
        'The time of the payment in ISO 8601 format, or only the date if the bank reports no time. A time without an offset is in the time zone of the receiving account.',
    }),
    direction: t.field({
      type: TransferDirection,
      description:
        'The direction of the transfer. The default is `credit`. A `debit` can be the payout of a refund.',
    }),
  }),
});

const RecordTransfersInput = builder.inputType('RecordTransfersInput', {
  description: 'The transfers to record.',
  fields: (t) => ({
    transfers: t.field({
      type: [TransferInput],
      required: true,
      description: 'The transfers to record, from 1 to 500.',
    }),
  }),
});

/** A result with a function that loads the objects of all results together, if they are selected. */
type RecordedResult = TransferItemResult & { objects: () => Promise<RecordedObjects> };
type RecordedObjects = { transfers: Map<string, Transfer>; charges: Map<string, Charge> };

const RecordedTransfer = builder.objectRef<RecordedResult>('RecordedTransfer').implement({
  description: 'The result of recording one transfer.',
  fields: (t) => ({
    bankReference: t.exposeString('id', {
      description: 'The bank’s own identifier of the transfer, as provided in the input.',
    }),
    status: t.expose('status', {
      type: TransferStatus,
      description:
        'The outcome of matching the transfer. It is `exception` if the input of the transfer is invalid.',
    }),
    reason: t.field({
      type: TransferExceptionReason,
      nullable: true,
      description:
        'The reason why the status is `exception`, or why an outgoing transfer is not the payout of a refund. Null otherwise.',
      resolve: ({ reason }) => reason,
    }),
    detail: t.string({
      nullable: true,
      description: 'The error in the input of the transfer, if the reason is `invalid`. Null otherwise.',
      resolve: ({ detail }) => detail?.replace(/^\/id /, '/bankReference '),
    }),
    transfer: t.field({
      type: TransferType,
      nullable: true,
      description: 'The recorded transfer. Null if its input is invalid.',
      resolve: async ({ transferId, objects }) =>
        transferId ? (await objects()).transfers.get(transferId) : null,
    }),
    charge: t.field({
      type: ChargeType,
      nullable: true,
      description: 'The charge to which the transfer is applied. Null if there is none.',
      resolve: async ({ chargeId, objects }) => (chargeId ? (await objects()).charges.get(chargeId) : null),
    }),
  }),
});

const RecordTransfersSuccess = successType('RecordTransfersSuccess', {
  description: 'The results of recording the transfers. Each transfer is processed independently.',
  fields: {
    results: {
      property: 'transfers',
      type: [RecordedTransfer],
      description: 'The results, in the order of the input.',
    },
  },
});

builder.mutationField('recordTransfers', (t) =>
  t.field({
    type: RecordTransfersSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Records transfers that a bank feed reports or that a person enters in the dashboard (source `manual`). The mutation can be repeated safely: transfers that are already recorded are not counted again. An invalid transfer does not make the mutation fail; its result has the reason `invalid`. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: RecordTransfersInput, required: true, description: 'The transfers to record.' }),
    },
    resolve: async (_root, { input: { transfers: items } }, context) => {
      if (items.length < 1 || items.length > transfersMax) {
        throw invalidInputError('/transfers', `must have 1 to ${transfersMax} transfers`);
      }
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const source = context.caller.kind === 'user' ? 'manual' : 'feed';
      const scope = { merchant, mode, actor, audit: toAuditContext(context) };
      const options = {
        ...scope,
        source,
        items: items.map(toTransferItem),
        now: getMerchantTime(context),
      } as const;
      const results = await recordTransfers(context.service, options);
      const objects = memoize(() => findObjects(context, results));
      return { transfers: results.map((result) => ({ ...result, objects })) };
    },
  }),
);

/** REST calls the bank’s reference `id`, which a GraphQL cache would take for the transfer’s key. */
function toTransferItem({ bankReference, ...item }: InferInput<typeof TransferInput>) {
  return { ...item, id: bankReference };
}

async function findObjects(context: GraphqlContext, results: TransferItemResult[]): Promise<RecordedObjects> {
  const { prisma } = context.service;
  const where = (ids: (string | undefined)[]) => ({
    ...getMerchantScope(context),
    id: { in: [...new Set(ids.filter((id) => id !== undefined))] },
  });
  const [transfers, charges] = await Promise.all([
    prisma.transfer.findMany({ where: where(results.map(({ transferId }) => transferId)) }),
    prisma.charge.findMany({ where: where(results.map(({ chargeId }) => chargeId)) }),
  ]);
  return { transfers: indexById(transfers), charges: indexById(charges) };
}

function indexById<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= load();
    return result;
  };
}
