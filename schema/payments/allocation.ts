import type { AllocationReason } from '../../src/domain/payments/allocation/insert-allocations.ts';
import { isPaidLate } from '../../src/domain/payments/allocation/is-paid-in-time.ts';
import {
  getReleasedAmount,
  releasedPartsSelect,
} from '../../src/domain/payments/allocation/released-parts.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { TransferType } from '../money-in/transfer.ts';
import { ActorType } from '../platform/actor.ts';
import { toDecimalScalar } from '../scalars.ts';
import { ChargeType } from './charge.ts';

const AllocationReasonEnum = builder.enumType('AllocationReason', {
  description: 'The decision or event that caused an allocation. More values may be added.',
  values: {
    assigned: { description: 'You assigned the transfer to the charge.' },
    charge_cancelled: {
      description: 'The charge was cancelled, so a part payment is no longer applied to it.',
    },
    charge_expired: { description: 'The charge expired, so a part payment is no longer applied to it.' },
    matched: { description: 'The transfer was matched to the charge automatically.' },
    payout_returned: { description: 'The transfer returned the payout of the refund.' },
    dismissed: { description: 'You recorded that the money is not a customer payment.' },
    ignored: { description: 'A rule of the receiving account ignored the transfer.' },
    returned: { description: 'You returned the money to the payer.' },
    reversed: { description: 'The bank reversed the transfer.' },
    shortfall_accepted: {
      description: 'You assigned the transfer to the charge and accepted the shortfall as payment in full.',
    },
    reversal_undone: {
      description:
        'You undid the statement that reported the bank’s reversal, so the transfer was applied again.',
    },
    statement_undone: { description: 'You undid the statement that reported the transfer.' },
    unassigned: { description: 'You unassigned the transfer from the charge.' },
  } satisfies Record<AllocationReason, object>,
});

const AllocationType = builder.prismaNode('Allocation', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'A part of a transfer that is applied to a charge, belongs to a refund or was returned to the payer. Allocations never change; a correction is a new allocation with a negative amount.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description:
        'The allocated amount, in the currency of the transfer. Negative if the allocation reverses an earlier one.',
      select: { transfer: { select: { currency: true } } },
      resolve: ({ amount, transfer }) => toDecimalScalar(amount, transfer.currency),
    }),
    feeAmount: t.field({
      type: 'Decimal',
      description:
        'The fee that banks deducted from the payment, in the currency of the transfer. It counts as paid, but is not part of `amount`.',
      select: { transfer: { select: { currency: true } } },
      resolve: ({ feeAmount, transfer }) => toDecimalScalar(feeAmount, transfer.currency),
    }),
    transfer: t.relation('transfer', { description: 'The transfer that the money came from.' }),
    charge: t.relation('charge', {
      nullable: true,
      description:
        'The charge that the amount is applied to. Null if the amount was returned to the payer or belongs to a refund.',
    }),
    refund: t.relation('refund', {
      nullable: true,
      description:
        'The refund whose payout the bank returned, if this allocation belongs to such a refund. Null otherwise.',
    }),
    actor: t.expose('actor', {
      type: ActorType,
      description:
        'The actor that decided on the allocation. If the transfer was matched automatically, this is the actor that reported the transfer.',
    }),
    reason: t.field({
      type: AllocationReasonEnum,
      description: 'The decision or event that caused the allocation.',
      resolve: ({ reason }) => reason as AllocationReason,
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'The note that was entered with the decision. Null if there is none.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the amount was allocated.',
    }),
  }),
});

// Lists of allocations are fields of `Transfer` and `Charge`.
builder.queryField('allocation', (t) =>
  t.prismaField({
    type: AllocationType,
    nullable: true,
    description: 'Returns the allocation with this ID, or null if it does not exist.',
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
      'The allocations that apply transfers to this charge, oldest first. Null for callers with a client token.',
    query: oldestFirst,
  }),
  transfers: t.field({
    ...merchantOnly,
    nullable: true,
    type: [TransferType],
    description:
      'The transfers that are or were applied to this charge, in the order in which they were first applied. Null for callers with a client token.',
    select: (_args, _context, nested) => ({
      allocations: { ...oldestFirst, select: { transfer: nested() } },
    }),
    resolve: ({ allocations }) => distinct(allocations.map(({ transfer }) => transfer)),
  }),
  amountReleased: t.field({
    type: 'Decimal',
    description:
      'The part payments that this charge released when it expired or was cancelled, as far as they are still unallocated, in `customerCurrency`. `acceptShortfall` and `extendCharge` apply them to the charge again.',
    select: { status: true, customerCurrency: true, allocations: releasedPartsSelect },
    resolve: (charge) => toDecimalScalar(getReleasedAmount(charge), charge.customerCurrency),
  }),
  hasLatePayment: t.boolean({
    ...merchantOnly,
    nullable: true,
    description:
      'Whether money that is applied to this charge was paid after `expiresAt`. Null for callers with a client token.',
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
    description:
      'The charges to which this transfer is or was applied, in the order in which it was first applied to them.',
    select: (_args, _context, nested) => ({
      allocations: { ...oldestFirst, select: { charge: nested() } },
    }),
    resolve: ({ allocations }) => distinct(allocations.flatMap(({ charge }) => charge ?? [])),
  }),
}));

function distinct<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
