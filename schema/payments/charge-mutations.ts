import type { Charge } from '../../prisma/client/client.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createCharge } from '../../src/domain/payments/charge/create-charge.ts';
import type { CreatedCharge } from '../../src/domain/payments/charge/insert-charges.ts';
import type { ReadCharge } from '../../src/domain/payments/charge/read-charge.ts';
import { cancelToken, clientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { visibleCharge } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import {
  auditContext,
  changing,
  type GraphqlContext,
  merchantCaller,
  owned,
  ownNow,
} from '../kit/graphql-context.ts';
import { ChargeType } from './charge.ts';
import { quickParts } from './charge-rows.ts';
import { OrderInput } from './order.ts';
import { PaymentMethodCode } from './payment-method.ts';

const CreateChargeInput = builder.inputType('CreateChargeInput', {
  description: 'What to ask of whom.',
  fields: (t) => ({
    email: t.string({ description: 'The customer’s e-mail address. Required without `verificationCode`.' }),
    verificationCode: t.string({
      description:
        'Of `verifyPhone`: the customer by the phone that was verified; for one charge, within 5 minutes.',
    }),
    merchantAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'What you ask, in major units of your currency.',
    }),
    merchantCurrency: t.field({ type: 'CurrencyCode', required: true, description: 'Your currency.' }),
    method: t.field({ type: PaymentMethodCode, required: true, description: 'How the customer pays.' }),
    orders: t.field({ type: [OrderInput], description: 'What is paid for, at most 100 orders.' }),
    notifyPayload: t.string({
      description: 'Your own text, returned with notifications; at most 4,096 characters.',
    }),
    notifyUrl: t.string({ description: 'Where the callback of its completion goes: an https address.' }),
    hash: t.string({ description: 'Of `createChargeHash`. Required with secure mode on.' }),
  }),
});

const CreateChargeSuccess = builder.objectRef<CreatedCharge>('CreateChargeSuccess').implement({
  description: 'The charge was made, or an equal one is pending already.',
  fields: (t) => ({
    charge: t.prismaField({
      type: ChargeType,
      description: 'The charge.',
      resolve: (query, { charge }, _args, context) => selectNew(query, charge, context),
    }),
    isDuplicate: t.exposeBoolean('isDuplicate', {
      description: 'Whether an equal pending charge is returned in place of a second one.',
    }),
    cancelToken: t.string({
      description: 'Lets the customer’s page cancel the charge over REST without credentials.',
      resolve: ({ charge }, _args, { service }) => cancelToken(service.secrets, charge),
    }),
    clientToken: t.string({
      description:
        'Lets your page in the customer’s browser see, follow and cancel this charge: `Authorization: Bearer <clientToken>`. It ends 24 hours after the charge has.',
      resolve: ({ charge }, _args, { service }) => clientToken(service.secrets, charge),
    }),
  }),
});

/** What is selected of a pending charge, which has no refunds. */
async function selectNew(query: object, charge: Charge, context: GraphqlContext): Promise<Charge> {
  const { prisma } = context.service;
  const parts = quickParts(query, context);
  if (!parts) return prisma.charge.findUniqueOrThrow({ ...query, where: { id: charge.id } });
  const customer =
    parts.customer && (await prisma.customer.findUniqueOrThrow({ where: { id: charge.customerId } }));
  return { ...charge, refunds: [], ...(customer && { customer }) } as ReadCharge;
}

builder.mutationField('createCharge', (t) =>
  t.field({
    type: CreateChargeSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Creates a charge on the customer’s behalf. Restricted with live credentials. Permission: `write`.',
    args: { input: t.arg({ type: CreateChargeInput, required: true, description: 'What to ask of whom.' }) },
    resolve: (_root, { input }, context) => {
      const { merchant, mode, actor } = merchantCaller(context);
      const times = { now: ownNow(context), machineNow: context.clock.now() };
      return createCharge(context.service, {
        merchant,
        mode,
        actor,
        input,
        ...times,
        audit: auditContext(context),
      });
    },
  }),
);

const CancelChargeInput = builder.inputType('CancelChargeInput', {
  description: 'Which charge to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the charge, `ch_…`.' }) }),
});

const CancelChargeSuccess = builder.objectRef<{ charge: Charge }>('CancelChargeSuccess').implement({
  description: 'The charge was pending and is cancelled now.',
  fields: (t) => ({ charge: t.expose('charge', { type: ChargeType, description: 'The charge.' }) }),
});

builder.mutationField('cancelCharge', (t) =>
  t.field({
    type: CancelChargeSuccess,
    errors: {},
    authScopes: (_root, _args, { caller }) =>
      caller.kind === 'page' ? { page: true } : { permission: 'write' },
    description:
      'Cancels a pending charge. A page with a client token can cancel its own, until it has received money. Permission: `write`.',
    args: { input: t.arg({ type: CancelChargeInput, required: true, description: 'Which charge.' }) },
    resolve: async (_root, { input }, context) => {
      const who = await canceller(context, input.id);
      const options = {
        ...owned(context),
        id: input.id,
        ...who,
        now: ownNow(context),
        audit: auditContext(context),
      };
      return { charge: await cancelCharge(context.service, options) };
    },
  }),
);

/** A page cancels for the customer, and only what it sees. Error: `charge_not_found`. */
async function canceller(context: GraphqlContext, id: string) {
  const { caller, service } = context;
  if (caller.kind !== 'page') return { by: 'merchant', actor: caller.actor } as const;
  const visible = await service.prisma.charge.count({ where: visibleCharge(context, id) });
  if (visible === 0) throw new DomainError('charge_not_found', `There is no charge ${id}`);
  return { by: 'customer', actor: 'customer' } as const;
}

const CompleteSandboxChargeInput = builder.inputType('CompleteSandboxChargeInput', {
  description: 'Which charge to complete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the charge, `ch_…`.' }) }),
});

const CompleteSandboxChargeSuccess = builder
  .objectRef<{ charge: Charge }>('CompleteSandboxChargeSuccess')
  .implement({
    description: 'The charge was pending and is completed now.',
    fields: (t) => ({ charge: t.expose('charge', { type: ChargeType, description: 'The charge.' }) }),
  });

builder.mutationField('completeSandboxCharge', (t) =>
  t.field({
    type: CompleteSandboxChargeSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Completes a pending sandbox charge, as if the customer had paid. Permission: `write`.',
    args: {
      input: t.arg({ type: CompleteSandboxChargeInput, required: true, description: 'Which charge.' }),
    },
    resolve: async (_root, { input }, context) => {
      const options = { ...changing(context), ...input };
      return { charge: await completeSandboxCharge(context.service, options) };
    },
  }),
);
