import type { AuditEntry } from '../../prisma/client/client.ts';
import { findDuplicateCandidates } from '../../src/domain/money-in/transfer/duplicates/find-duplicate-candidates.ts';
import {
  type Suggestion,
  type SuggestionReason,
  suggestCharges,
  suggestionReasons,
} from '../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import type { SplitPart } from '../../src/domain/money-in/transfer/suggestions/suggest-split.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader, createRowLoader } from '../kit/loader.ts';
import { ChargeType } from '../payments/charge.ts';
import { ActorType } from '../platform/actor.ts';
import { toDecimalScalar } from '../scalars.ts';
import { TransferType } from './transfer.ts';

const reasons = Object.entries(suggestionReasons) as [SuggestionReason, string][];

const TransferSuggestionReason = builder.enumType('TransferSuggestionReason', {
  description: 'The reason why a charge is suggested for a transfer.',
  values: Object.fromEntries(
    reasons.map(([reason, text]) => [reason, { description: `${text}.` }]),
  ) as Record<SuggestionReason, { description: string }>,
});

const TransferSuggestion = builder.objectRef<Suggestion>('TransferSuggestion').implement({
  description: 'A charge that the payer of a transfer may have meant.',
  fields: (t) => ({
    charge: t.expose('charge', { type: ChargeType, description: 'The suggested charge.' }),
    reasons: t.expose('reasons', {
      type: [TransferSuggestionReason],
      description: 'The reasons for the suggestion, strongest first.',
    }),
  }),
});

const TransferSplitSuggestion = builder.objectRef<SplitPart>('TransferSplitSuggestion').implement({
  description: 'A part of a transfer that can be applied to a charge.',
  fields: (t) => ({
    charge: t.expose('charge', { type: ChargeType, description: 'The charge.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'The outstanding amount of the charge, in the currency of the transfer.',
      resolve: ({ amount, charge }) => toDecimalScalar(amount, charge.customerCurrency),
    }),
  }),
});

const loadSuggestions = createLoader(async (context, ids) => {
  const where = {
    ...getMerchantScope(context),
    id: { in: ids },
    status: 'exception',
    direction: 'credit',
  } as const;
  const transfers = await context.service.prisma.transfer.findMany({ where });
  return suggestCharges(context.service, getMerchantScope(context), transfers);
});

builder.prismaObjectField('Transfer', 'suggestions', (t) =>
  t.field({
    type: [TransferSuggestion],
    description:
      'The charges that the payer may have meant, most likely first, at most 5. The list is empty unless the status is `exception`. Suggestions are never applied automatically.',
    resolve: async ({ id }, _args, context) => (await loadSuggestions(context, id))?.charges ?? [],
  }),
);

builder.prismaObjectField('Transfer', 'suggestedSplit', (t) =>
  t.field({
    type: [TransferSplitSuggestion],
    description:
      'The parts into which the transfer can be split, because the charges whose payment references it carries add up to its unallocated amount. The list is empty otherwise. Apply it with `splitTransfer`.',
    resolve: async ({ id }, _args, context) => (await loadSuggestions(context, id))?.split ?? [],
  }),
);

const loadCandidates = createLoader(async (context, ids) => {
  const where = { ...getMerchantScope(context), id: { in: ids }, reason: 'possible_duplicate' };
  const transfers = await context.service.prisma.transfer.findMany({ where });
  return findDuplicateCandidates(context.service, transfers);
});

builder.prismaObjectField('Transfer', 'duplicateCandidates', (t) =>
  t.field({
    type: [TransferType],
    description:
      'The transfers that may be the same money, most likely first, at most 5. The list is empty unless the reason is `possible_duplicate`. Mark the transfer as a duplicate of one of them with `markTransferAsDuplicate`.',
    resolve: async ({ id }, _args, context) => (await loadCandidates(context, id)) ?? [],
  }),
);

const loadTransfer = createRowLoader((context, where) => context.service.prisma.transfer.findMany({ where }));

builder.prismaObjectField('Transfer', 'duplicateOf', (t) =>
  t.field({
    type: TransferType,
    nullable: true,
    description:
      'The transfer that reported the same payment. Null unless the status is `duplicate`. `unassignTransfer` records that the transfer is not a duplicate.',
    resolve: ({ status, duplicateOfId }, _args, context) =>
      status === 'duplicate' ? loadTransfer(context, duplicateOfId) : null,
  }),
);

const DuplicateMark = builder.objectRef<AuditEntry>('DuplicateMark').implement({
  description: 'The decision that a transfer is a duplicate.',
  fields: (t) => ({
    actor: t.expose('actor', { type: ActorType, description: 'The user or the key that decided it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time of the decision.' }),
  }),
});

const loadMarks = createLoader(async (context, ids) => {
  const { merchantId } = getMerchantScope(context);
  const entries = await context.service.prisma.auditEntry.findMany({
    where: { merchantId, objectId: { in: ids }, action: 'transfer.marked_as_duplicate' },
    orderBy: { id: 'asc' },
  });
  // The last entry replaces earlier ones.
  return new Map(entries.map((entry) => [entry.objectId ?? '', entry]));
});

builder.prismaObjectField('Transfer', 'duplicateMark', (t) =>
  t.field({
    type: DuplicateMark,
    nullable: true,
    description:
      'Who marked the transfer as a duplicate, and when. Null if the status is not `duplicate`, or the transfer was recognized as a duplicate automatically.',
    resolve: async ({ id, status }, _args, context) =>
      status === 'duplicate' ? ((await loadMarks(context, id)) ?? null) : null,
  }),
);
