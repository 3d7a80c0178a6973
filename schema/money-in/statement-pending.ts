import type { Transfer } from '../../prisma/client/client.ts';
import {
  listPendingEntries,
  type PendingEntry,
} from '../../src/domain/money-in/statement/preview/list-pending-entries.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { createRowLoader } from '../kit/loader.ts';
import { StatementPreviewEntry } from './statement-preview.ts';
import { TransferType } from './transfer.ts';

const loadTransfer = createRowLoader<Transfer>((context, where) =>
  context.service.prisma.transfer.findMany({ where }),
);

const StatementPendingEntry = builder.objectRef<PendingEntry>('StatementPendingEntry').implement({
  description:
    'A movement that a file reports as provisional or not booked yet. It completes no charge until a statement reports its booking.',
  fields: (t) => ({
    entry: t.expose('entry', { type: StatementPreviewEntry, description: 'The movement.' }),
    transfer: t.field({
      type: TransferType,
      nullable: true,
      description:
        'The transfer that was recorded when the bank booked the movement. Null while it is pending.',
      resolve: ({ transferId }, _args, context) => loadTransfer(context, transferId ?? null),
    }),
  }),
});

builder.queryField('statementPendingEntries', (t) =>
  t.field({
    type: [StatementPendingEntry],
    nullable: true,
    authScopes: { permission: 'transfers' },
    description:
      'Returns the movements of an imported file that are provisional or not booked yet: at most 100, of its first 2,000 entries. Null if the statement does not exist. Requires the permission `transfers`.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the statement, `st_…`.' }) },
    resolve: async (_root, { id }, context) => {
      const { prisma } = context.service;
      const where = { id, ...getMerchantScope(context) };
      const statement = await prisma.statement.findFirst({ where, include: { receivingAccount: true } });
      return statement && listPendingEntries(context.service, statement);
    },
  }),
);
