import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { markAsSent, watchListChanges } from '../kit/live.ts';
import { TransferType } from './transfer.ts';

builder.subscriptionField('transfersUpdated', (t) =>
  t.prismaField({
    type: TransferType,
    description:
      'Sends your newest transfer immediately, if there is one. Then sends each transfer whose status becomes `exception`, and each transfer that changes after it was recorded.',
    subscribe: (_root, _args, context) => watchListChanges(context, 'transfer'),
    resolve: async (query, change, _args, context) => {
      const where = { id: change.id, ...getMerchantScope(context) };
      const transfer = await context.service.prisma.transfer.findFirstOrThrow({ ...query, where });
      return markAsSent(change, transfer);
    },
  }),
);
