import {
  type Simulation,
  simulateTransfer,
  simulations,
} from '../../src/domain/money-in/transfer/simulate-transfer.ts';
import { builder } from '../kit/builder.ts';
import {
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { TransferType } from './transfer.ts';

const kinds = Object.entries(simulations) as [Simulation, string][];

const TransferSimulationKind = builder.enumType('TransferSimulationKind', {
  description: 'The way in which a simulated payment differs from its charge, if it does.',
  values: Object.fromEntries(kinds.map(([kind, text]) => [kind, { description: `${text}.` }])) as Record<
    Simulation,
    { description: string }
  >,
});

const SimulateTransferInput = builder.inputType('SimulateTransferInput', {
  description: 'The kind of payment to simulate, and the charge to pay.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The ID of a sandbox charge, `ch_…`.' }),
    kind: t.field({
      type: TransferSimulationKind,
      required: true,
      description: 'The way in which the simulated payment differs from the charge, if it does.',
    }),
    amount: t.field({
      type: 'Decimal',
      description:
        'The amount to pay, in major units. If omitted, it depends on `kind` and on the amount of the charge.',
    }),
  }),
});

const SimulateTransferSuccess = successType('SimulateTransferSuccess', {
  description: 'The result of simulating a payment.',
  fields: {
    transfers: {
      type: [TransferType],
      description:
        'The simulated transfers. There is one transfer, or two if the payment was repeated or reversed.',
    },
    charge: { type: ChargeType, description: 'The charge, as it is after the simulated payment.' },
  },
});

builder.mutationField('simulateTransfer', (t) =>
  t.field({
    type: SimulateTransferSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'transfers' },
    description:
      'Simulates a payment of a sandbox charge, as a bank would report it, so that you can test every case before you go live. The mutation fails with `charge_not_found`, or with `sandbox_only` in live mode. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: SimulateTransferInput,
        required: true,
        description: 'The kind of payment to simulate, and the charge to pay.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const { prisma } = context.service;
      const options = {
        merchant,
        mode,
        input,
        actor,
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      const ids = await simulateTransfer(context.service, options);
      const where = getMerchantScope(context);
      const rows = await prisma.transfer.findMany({ where: { ...where, id: { in: ids } } });
      const charge = await prisma.charge.findFirstOrThrow({ where: { ...where, id: input.chargeId } });
      return { transfers: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []), charge };
    },
  }),
);
