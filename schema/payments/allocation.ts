import { isPaidLate } from '../../src/domain/payments/charge/is-paid-late.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { TransferType } from '../money-in/transfer.ts';
import { toDecimalScalar } from '../scalars.ts';
import { ChargeType } from './charge.ts';

const AllocationType = builder.prismaNode('Allocation', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'The part of a transfer that is applied to a charge or refund, or recorded as returned. Allocations never change: a correction is a new allocation with a negative amount.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description:
        'The allocated amount, in the currency of the transfer. Negative if the allocation reverses an earlier one.',
      select: { transfer: { select: { currency: true } } },
      resolve: ({ amount, transfer }) => toDecimalScalar(amount, transfer.currency),
    }),
    transfer: t.relation('transfer', { description: 'The transfer that the money came from.' }),
    charge: t.relation('charge', {
      nullable: true,
      description:
        'The charge that the amount is applied to. Null if the money was returned to the payer or belongs to a refund.',
    }),
    refund: t.relation('refund', {
      nullable: true,
      description: 'The refund whose payout was returned by the bank. Null for every other allocation.',
    }),
    actor: t.exposeString('actor', {
      description: 'The actor that decided the allocation: `key:<id>`, `user:<id>`, `bank` or `job:<name>`.',
    }),
    reason: t.exposeString('reason', { description: 'The code of the reason for the allocation.' }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'The note that the person who decided left, if any.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the allocation was decided.',
    }),
  }),
});

// Lists of allocations are fields of `Transfer` and `Charge`.
builder.queryField('allocation', (t) =>
  t.prismaField({
    type: AllocationType,
    nullable: true,
    description: 'A single allocation.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the allocation, `al_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.allocation.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
);

/** Shared by all fields with allocations, so that one query serves them. */
const oldestFirst = { orderBy: { id: 'asc' } } as const;

builder.prismaObjectFields('Charge', (t) => ({
  allocations: t.relation('allocations', {
    ...merchantOnly,
    nullable: true,
    description:
      'The allocations that apply transfers to this charge, oldest first. Null for a client token.',
    query: oldestFirst,
  }),
  transfers: t.field({
    ...merchantOnly,
    nullable: true,
    type: [TransferType],
    description:
      'The transfers that are or were applied to this charge, oldest first. Null for a client token.',
    select: (_args, _context, nested) => ({
      allocations: { ...oldestFirst, select: { transfer: nested() } },
    }),
    resolve: ({ allocations }) => distinct(allocations.map(({ transfer }) => transfer)),
  }),
  hasLatePayment: t.boolean({
    ...merchantOnly,
    nullable: true,
    description:
      'Whether money applied to this charge was paid after the charge had ended. Null for a client token.',
    select: {
      receivingAccount: { select: { timeZone: true } },
      allocations: { ...oldestFirst, include: { transfer: true } },
    },
    resolve: (charge) => isPaidLate(charge),
  }),
}));

builder.prismaObjectFields('Transfer', (t) => ({
  allocations: t.relation('allocations', {
    description: 'The allocations of this transfer, oldest first.',
    query: oldestFirst,
  }),
  charges: t.field({
    type: [ChargeType],
    description: 'The charges that this transfer is or was applied to, oldest first.',
    select: (_args, _context, nested) => ({
      allocations: { ...oldestFirst, select: { charge: nested() } },
    }),
    resolve: ({ allocations }) => distinct(allocations.flatMap(({ charge }) => charge ?? [])),
  }),
}));

function distinct<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
