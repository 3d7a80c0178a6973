import type { Refund, Transfer } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { getPaymentReferences } from '../allocation/get-payment-references.ts';

/**
 * Finds the unmatched transfer that returned the payout of a refund: a returned payment with the refund's
 * amount and payout reference. For a refund that is not completed, the transfer may also have a previous
 * payout reference, if the payout with that reference has not been returned yet. Returns undefined if there
 * is none.
 */
export async function findReturnedPayout(
  db: Tx | Db['prisma'],
  refund: Refund,
): Promise<Transfer | undefined> {
  return (await findReturnedPayouts(db, [refund])).get(refund.id);
}

/**
 * Like `findReturnedPayout`, for refunds of one merchant and mode, by refund ID and in a fixed number of
 * queries.
 */
export async function findReturnedPayouts(
  db: Tx | Db['prisma'],
  refunds: Refund[],
): Promise<Map<string, Transfer>> {
  const [first] = refunds;
  if (!first) return new Map();
  const candidates = await db.transfer.findMany({
    where: {
      merchantId: first.merchantId,
      mode: first.mode,
      status: 'exception',
      reason: 'returned_payment',
      allocated: 0,
      amount: { in: refunds.map(({ customerAmount }) => customerAmount) },
      currency: { in: refunds.map(({ customerCurrency }) => customerCurrency) },
    },
    orderBy: { id: 'asc' },
  });
  if (candidates.length === 0) return new Map();
  const returnedReferences = await readReturnedReferences(db, refunds);
  const pairs = refunds.flatMap((refund): [string, Transfer][] => {
    const references = getReturnableReferences(refund, returnedReferences.get(refund.id) ?? []);
    const match = candidates.find(
      (transfer) =>
        hasSameAmount(refund, transfer) &&
        getPaymentReferences(transfer).some((reference) => references.includes(reference)),
    );
    return match ? [[refund.id, match]] : [];
  });
  return new Map(pairs);
}

/**
 * Returns, by refund ID, the references of the payouts that have already been returned, because no payout is
 * returned twice.
 */
async function readReturnedReferences(
  db: Tx | Db['prisma'],
  refunds: Refund[],
): Promise<Map<string, string[]>> {
  const allocations = await db.allocation.findMany({
    where: { refundId: { in: refunds.map(({ id }) => id) }, reason: 'payout_returned' },
    select: { refundId: true, transfer: { select: { reference: true } } },
  });
  const byRefund = Map.groupBy(allocations, ({ refundId }) => refundId as string);
  return new Map(
    [...byRefund].map(([id, rows]) => [id, rows.flatMap(({ transfer }) => getPaymentReferences(transfer))]),
  );
}

function getReturnableReferences(
  { status, payoutReference, previousPayoutReferences }: Refund,
  returnedReferences: readonly string[],
): string[] {
  if (status === 'completed') return [payoutReference];
  return [payoutReference, ...previousPayoutReferences].filter(
    (reference) => !returnedReferences.includes(reference),
  );
}

/**
 * Finds the refund whose payout each transfer may have returned, by transfer ID. Compares the amount and the
 * current payout reference; omits ambiguous matches.
 */
export async function findRefundsForReturns(
  db: Tx | Db['prisma'],
  transfers: Transfer[],
): Promise<Map<string, Refund>> {
  const returns = transfers.filter(
    ({ status, reason }) => status === 'exception' && reason === 'returned_payment',
  );
  const [first] = returns;
  if (!first) return new Map();
  const refunds = await db.refund.findMany({
    where: {
      merchantId: first.merchantId,
      mode: first.mode,
      status: { in: ['processing', 'completed'] },
      payoutReference: { in: returns.flatMap(getPaymentReferences) },
    },
  });
  const pairs = returns.flatMap((transfer): [string, Refund][] => {
    const references = getPaymentReferences(transfer);
    const matchingRefunds = refunds.filter(
      (refund) => hasSameAmount(refund, transfer) && references.includes(refund.payoutReference),
    );
    return matchingRefunds.length === 1 && matchingRefunds[0] ? [[transfer.id, matchingRefunds[0]]] : [];
  });
  return new Map(pairs);
}

function hasSameAmount(refund: Refund, { amount, currency }: Transfer): boolean {
  return refund.customerAmount === amount && refund.customerCurrency === currency;
}
