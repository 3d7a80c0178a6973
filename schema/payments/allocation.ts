import { isPaidLate } from '../../src/domain/payments/charge/is-paid-late.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { owned } from '../kit/graphql-context.ts';
import { TransferType } from '../money-in/transfer.ts';
import { decimal } from '../scalars.ts';
import { ChargeType } from './charge.ts';

const AllocationType = builder.prismaNode('Allocation', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description:
    'What part of a transfer counts for what. Never changed: a correction is a new one, below zero.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'How much, in the currency of the transfer; below zero when it takes back.',
      select: { transfer: { select: { currency: true } } },
      resolve: ({ amount, transfer }) => decimal(amount, transfer.currency),
    }),
    transfer: t.relation('transfer', { description: 'The money.' }),
    charge: t.relation('charge', {
      nullable: true,
      description: 'What it counts for; null when it was sent back to the payer, or of a refund.',
    }),
    refund: t.relation('refund', {
      nullable: true,
      description: 'Of a payout that came back from the bank: the refund it was for.',
    }),
    actor: t.exposeString('actor', {
      description: 'Who decided: `key:<id>`, `user:<id>`, `bank` or `job:<name>`.',
    }),
    reason: t.exposeString('reason', { description: 'Why, in one word.' }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'What the person who decided wrote about it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was decided.' }),
  }),
});

// Lists of them stand at the transfer and the charge they belong to.
builder.queryField('allocation', (t) =>
  t.prismaField({
    type: AllocationType,
    nullable: true,
    description: 'One allocation.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `al_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.allocation.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
);

/** Told the same way wherever allocations are read, so that one reading serves all fields. */
const oldestFirst = { orderBy: { id: 'asc' } } as const;

builder.prismaObjectFields('Charge', (t) => ({
  allocations: t.relation('allocations', {
    ...merchantOnly,
    description: 'What counts for it of which transfer, oldest first.',
    query: oldestFirst,
  }),
  transfers: t.field({
    ...merchantOnly,
    type: [TransferType],
    description: 'The transfers that were counted for it at some time, oldest first.',
    select: (_args, _context, nested) => ({
      allocations: { ...oldestFirst, select: { transfer: nested() } },
    }),
    resolve: ({ allocations }) => distinct(allocations.map(({ transfer }) => transfer)),
  }),
  paidLate: t.boolean({
    ...merchantOnly,
    description: 'Whether money that counts for it was paid when it had already ended.',
    select: {
      receivingAccount: { select: { timeZone: true } },
      allocations: { ...oldestFirst, include: { transfer: true } },
    },
    resolve: (charge) => isPaidLate(charge),
  }),
}));

builder.prismaObjectFields('Transfer', (t) => ({
  allocations: t.relation('allocations', {
    description: 'What of it counts for which charge, oldest first.',
    query: oldestFirst,
  }),
  charges: t.field({
    type: [ChargeType],
    description: 'The charges it was counted for at some time, oldest first.',
    select: (_args, _context, nested) => ({
      allocations: { ...oldestFirst, select: { charge: nested() } },
    }),
    resolve: ({ allocations }) => distinct(allocations.flatMap(({ charge }) => charge ?? [])),
  }),
}));

function distinct<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
