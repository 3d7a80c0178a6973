import type { Charge, Transfer } from '../../prisma/client/client.ts';
import {
  recordTransfers,
  type TransferItemResult,
  transfersMax,
} from '../../src/domain/money-in/transfer/record-transfers.ts';
import { invalidInput } from '../../src/kit/errors.ts';
import { builder } from '../kit/builder.ts';
import { auditContext, type GraphqlContext, merchantCaller, owned, ownNow } from '../kit/graphql-context.ts';
import { ChargeType } from '../payments/charge.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { TransferDirection, TransferExceptionReason, TransferStatus, TransferType } from './transfer.ts';

const TransferInput = builder.inputType('TransferInput', {
  description: 'One transfer that a bank feed tells of.',
  fields: (t) => ({
    id: t.string({
      required: true,
      description: 'The bank’s reference, at most 255 characters: the same at every repeat.',
    }),
    receivingAccountId: t.id({
      description: 'The account it came to, `acc_…`; or tell `method` and `account`.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method of the account it came to.',
    }),
    account: t.string({ description: 'The number of the account it came to.' }),
    amount: t.field({ type: 'Decimal', required: true, description: 'How much, in major units.' }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'What it is in.' }),
    reference: t.string({ required: true, description: 'What the payer wrote; the nonce stands in it.' }),
    payerName: t.string({ description: 'Who paid.' }),
    paidAt: t.string({
      required: true,
      description: 'When it was paid: ISO 8601, or only the date where the bank tells no time.',
    }),
    direction: t.field({
      type: TransferDirection,
      description: 'Which way it went; left out: to you. Money that went out may be the payout of a refund.',
    }),
  }),
});

const RecordTransfersInput = builder.inputType('RecordTransfersInput', {
  description: 'What a bank feed tells.',
  fields: (t) => ({
    transfers: t.field({ type: [TransferInput], required: true, description: 'The transfers, 1 to 500.' }),
  }),
});

/** A result, with the objects it names read together and only when they are asked for. */
type Recorded = TransferItemResult & { objects: () => Promise<Objects> };
type Objects = { transfers: Map<string, Transfer>; charges: Map<string, Charge> };

const RecordedTransfer = builder.objectRef<Recorded>('RecordedTransfer').implement({
  description: 'What one transfer has become.',
  fields: (t) => ({
    id: t.exposeString('id', {
      description: 'The `id` you gave. It is the bank’s, so a client’s cache must not use it as a key.',
    }),
    status: t.expose('status', { type: TransferStatus, description: 'What it counts for.' }),
    reason: t.field({
      type: TransferExceptionReason,
      nullable: true,
      description: 'Why it is an exception; null otherwise.',
      resolve: ({ reason }) => reason,
    }),
    detail: t.string({
      nullable: true,
      description: 'What is wrong with an item that cannot be read.',
      resolve: ({ detail }) => detail,
    }),
    transfer: t.field({
      type: TransferType,
      nullable: true,
      description: 'The transfer; null when the item cannot be read.',
      resolve: async ({ transferId, objects }) =>
        transferId ? (await objects()).transfers.get(transferId) : null,
    }),
    charge: t.field({
      type: ChargeType,
      nullable: true,
      description: 'The charge it counts for.',
      resolve: async ({ chargeId, objects }) => (chargeId ? (await objects()).charges.get(chargeId) : null),
    }),
  }),
});

const RecordTransfersSuccess = builder
  .objectRef<{ transfers: Recorded[] }>('RecordTransfersSuccess')
  .implement({
    description: 'Each transfer was looked at by itself.',
    fields: (t) => ({
      transfers: t.expose('transfers', {
        type: [RecordedTransfer],
        description: 'What each has become, in the order given.',
      }),
    }),
  });

builder.mutationField('recordTransfers', (t) =>
  t.field({
    type: RecordTransfersSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Records money that came, as a bank feed tells it, or as a person at the dashboard does (`hand`). Safe to repeat: what is known counts nothing. Permission: `transfers`.',
    args: {
      input: t.arg({ type: RecordTransfersInput, required: true, description: 'What the feed tells.' }),
    },
    resolve: async (_root, { input: { transfers: items } }, context) => {
      if (items.length < 1 || items.length > transfersMax) {
        throw invalidInput('/transfers', `must have 1 to ${transfersMax} transfers`);
      }
      const { merchant, mode, actor } = merchantCaller(context);
      const source = context.caller.kind === 'user' ? 'hand' : 'feed';
      const who = { merchant, mode, actor, audit: auditContext(context) };
      const options = { ...who, source, items, now: ownNow(context) } as const;
      const results = await recordTransfers(context.service, options);
      const objects = once(() => findObjects(context, results));
      return { transfers: results.map((result) => ({ ...result, objects })) };
    },
  }),
);

async function findObjects(context: GraphqlContext, results: TransferItemResult[]): Promise<Objects> {
  const { prisma } = context.service;
  const where = (ids: (string | undefined)[]) => ({
    ...owned(context),
    id: { in: [...new Set(ids.filter((id) => id !== undefined))] },
  });
  const [transfers, charges] = await Promise.all([
    prisma.transfer.findMany({ where: where(results.map(({ transferId }) => transferId)) }),
    prisma.charge.findMany({ where: where(results.map(({ chargeId }) => chargeId)) }),
  ]);
  return { transfers: byId(transfers), charges: byId(charges) };
}

function byId<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
