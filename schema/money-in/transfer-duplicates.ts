import { findDuplicateCandidates } from '../../src/domain/money-in/transfer/duplicates/find-duplicate-candidates.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { TransferType } from './transfer.ts';

const loadCandidates = createLoader(async (context, ids) => {
  const where = { ...getMerchantScope(context), id: { in: ids }, status: 'exception' } as const;
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
