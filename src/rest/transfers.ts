import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import {
  recordTransfers,
  type TransferItemResult,
  transfersMax,
} from '../domain/money-in/transfer/record/record-transfers.ts';
import type { Service } from '../domain/platform/service.ts';
import { toInputErrors } from '../kit/schema-errors.ts';
import { handlePost } from './idempotency.ts';
import { enumSchema, getMerchantTime, toAuditContext } from './inputs.ts';
import { documentedAs } from './name-components.ts';
import type { TypedFastify } from './typed-fastify.ts';

const itemSchema = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'The bank’s own reference for the transfer. It must be the same whenever the transfer is reported again.',
    }),
    receivingAccountId: Type.Optional(
      Type.String({
        description:
          'The ID of the receiving account, `acc_…`. Alternatively, provide both `method` and `account`.',
      }),
    ),
    method: Type.Optional(
      Type.String({
        description:
          'The payment method of the receiving account. Required, together with `account`, unless you provide `receivingAccountId`.',
      }),
    ),
    account: Type.Optional(
      Type.String({
        description:
          'The number of the receiving account. Required, together with `method`, unless you provide `receivingAccountId`.',
      }),
    ),
    amount: Type.Number({ description: 'The amount of the transfer, in major units of `currency`.' }),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of `amount`.' }),
    reference: Type.String({
      description: 'The text that the payer wrote, which should contain the payment reference.',
    }),
    payerName: Type.Optional(Type.String({ description: 'The name of the payer, at most 200 characters.' })),
    paidAt: Type.String({
      description:
        'The time of the payment in ISO 8601 format, or only the date if the bank reports no time. A time without an offset is in the time zone of the receiving account.',
    }),
    direction: Type.Optional(
      enumSchema(
        ['credit', 'debit'],
        'The direction of the transfer. The default is `credit`. A `debit` can be the payout of a refund.',
      ),
    ),
  },
  {
    title: 'TransferInput',
    description: 'A transfer that your bank reported.',
    additionalProperties: false,
  },
);

const resultSchema = Type.Object(
  {
    id: Type.String({
      description: 'The bank’s own reference for the transfer, as provided in the request.',
    }),
    status: Type.String({
      description:
        'The status of the transfer: `matched`, `partial`, `over`, `exception` or `duplicate`, `outgoing` for a debit, or `dismissed` if one of your rules ignores it.',
    }),
    transferId: Type.Optional(
      Type.String({
        description: 'The ID of the recorded transfer, `tr_…`. Omitted if the item is invalid.',
      }),
    ),
    chargeId: Type.Optional(
      Type.String({
        description:
          'The ID of the charge to which the transfer is applied, `ch_…`. Omitted if there is none.',
      }),
    ),
    refundId: Type.Optional(
      Type.String({ description: 'The ID of the refund that an outgoing transfer paid.' }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'The reason why the status is `exception`, or why an outgoing transfer is not the payout of a refund. Omitted otherwise.',
      }),
    ),
    detail: Type.Optional(
      Type.String({ description: 'The error in the item, if the reason is `invalid`. Omitted otherwise.' }),
    ),
  },
  { title: 'TransferResult', description: 'The result for one transfer of the request.' },
);

export function registerTransferRoutes(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Record transfers',
    description:
      'Records transfers that your bank feed reports, and matches them to charges and refunds. The request can be repeated safely: transfers that are already recorded are not counted again. Each transfer is processed independently. Requires the permission `transfers`.',
    tags: ['Transfers'],
    body: Type.Object(
      {
        transfers: Type.Array(Type.Unknown({ [documentedAs]: itemSchema }), {
          description: 'The transfers, each of which is processed independently.',
          minItems: 1,
          maxItems: transfersMax,
        }),
      },
      {
        title: 'RecordTransfersRequest',
        description: 'The transfers to record.',
        additionalProperties: false,
      },
    ),
    response: {
      200: Type.Object(
        { transfers: Type.Array(resultSchema, { description: 'The results, in the order of the request.' }) },
        { title: 'TransferResultList', description: 'The results of recording transfers.' },
      ),
    },
  };
  app.post('/transfers', { schema }, (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'transfers');
    const { merchant, mode, actor } = caller;
    const items = request.body.transfers;
    const record = (txService: Service) => {
      const validItems = items.filter(isItem);
      const audit = toAuditContext(request, clock.now());
      return recordTransfers(txService, {
        merchant,
        mode,
        items: validItems,
        actor,
        now: getMerchantTime(clock, caller),
        audit,
      });
    };
    return handlePost(request, reply, {
      service,
      now: clock.now(),
      work: record,
      toResponse: (results) => ({ status: 200, body: { transfers: mergeInOrder(items, results) } }),
    });
  });
}

function mergeInOrder(
  items: readonly unknown[],
  recordedResults: readonly TransferItemResult[],
): TransferItemResult[] {
  const results = recordedResults.values();
  return items.map((item) => (isItem(item) ? results.next().value! : toInvalidResult(item)));
}

const itemValidator = Compile(itemSchema);

function isItem(item: unknown): item is Static<typeof itemSchema> {
  return itemValidator.Check(item);
}

/** Returns the result of an item that the schema rejects; other items are still recorded. */
function toInvalidResult(item: unknown): TransferItemResult {
  const [, violations] = itemValidator.Errors(item);
  const [error] = violations.flatMap(toInputErrors);
  const { id } = (item ?? {}) as { id?: unknown };
  const detail = error ? `${error.path || 'The item'} ${error.message}` : 'The item is invalid';
  return { id: typeof id === 'string' ? id : '', status: 'exception', reason: 'invalid', detail };
}
