import type { Charge, Transfer } from '../../prisma/client/client.ts';
import {
  type Simulation,
  simulateTransfer,
  simulations,
} from '../../src/domain/money-in/transfer/simulate-transfer.ts';
import { builder } from '../kit/builder.ts';
import { auditContext, merchantCaller, owned, ownNow } from '../kit/graphql-context.ts';
import { ChargeType } from '../payments/charge.ts';
import { TransferType } from './transfer.ts';

const kinds = Object.entries(simulations) as [Simulation, string][];

const TransferSimulation = builder.enumType('TransferSimulation', {
  description: 'What can happen to a payment.',
  values: Object.fromEntries(kinds.map(([kind, text]) => [kind, { description: `${text}.` }])) as Record<
    Simulation,
    { description: string }
  >,
});

const SimulateTransferInput = builder.inputType('SimulateTransferInput', {
  description: 'What shall happen to which charge.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The id of a sandbox charge, `ch_…`.' }),
    kind: t.field({ type: TransferSimulation, required: true, description: 'What shall happen.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'How much in place of what the kind makes of the amount asked, in major units.',
    }),
  }),
});

const SimulateTransferSuccess = builder
  .objectRef<{ transfers: Transfer[]; charge: Charge }>('SimulateTransferSuccess')
  .implement({
    description: 'It has happened.',
    fields: (t) => ({
      transfers: t.expose('transfers', {
        type: [TransferType],
        description: 'What the bank told of: one transfer, or two where it came twice or was taken back.',
      }),
      charge: t.expose('charge', { type: ChargeType, description: 'The charge after it.' }),
    }),
  });

builder.mutationField('simulateTransfer', (t) =>
  t.field({
    type: SimulateTransferSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Lets money come for a sandbox charge as a bank would tell of it, so that you see every case before you go live. Permission: `transfers`.',
    args: { input: t.arg({ type: SimulateTransferInput, required: true, description: 'What for which.' }) },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode, actor } = merchantCaller(context);
      const { prisma } = context.service;
      const options = { merchant, mode, input, actor, now: ownNow(context), audit: auditContext(context) };
      const ids = await simulateTransfer(context.service, options);
      const where = owned(context);
      const rows = await prisma.transfer.findMany({ where: { ...where, id: { in: ids } } });
      const charge = await prisma.charge.findFirstOrThrow({ where: { ...where, id: input.chargeId } });
      return { transfers: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []), charge };
    },
  }),
);
