import type { Charge, ReceivingAccount, Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import { getReferenceDistance } from '../../../../method/reference-distance.ts';
import { getSimilarReferences } from '../../../payments/allocation/get-payment-references.ts';
import { isPaidInTime } from '../../../payments/allocation/is-paid-in-time.ts';
import type { ChargeMatch } from './find-charges-by-amount.ts';

/**
 * Returns, for each transfer whose text contains the reference of charges of the account with one typing error,
 * the IDs of these charges.
 */
export async function findSimilarCharges(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<Map<Transfer, Set<string>>> {
  const references = new Map(transfers.map((transfer) => [transfer, getSimilarReferences(transfer)]));
  const allReferences = [...new Set([...references.values()].flat())];
  if (allReferences.length === 0) return new Map();
  const charges = await tx.charge.findMany({
    where: { receivingAccountId: account.id, paymentReference: { in: allReferences } },
    select: { id: true, paymentReference: true },
  });
  const entries = transfers.map((transfer) => {
    const similar = charges.filter((charge) => references.get(transfer)?.includes(charge.paymentReference));
    return [transfer, new Set(similar.map(({ id }) => id))] as const;
  });
  return new Map(entries.filter(([, ids]) => ids.size > 0));
}

/** Two typing errors may turn a payment reference into another valid one. */
const ambiguousDistanceMax = 2;
/** How many days before the payment a charge with exactly the amount may have been created, and how many after. */
const ambiguousDays = { before: 14, after: 1 };
const candidatesMax = 5_000;

/**
 * Replaces a match with the exception `ambiguous_reference` if the amount differs from that of its charge, and
 * another payable charge has exactly the amount and a reference that is at most two typing errors away, because
 * the payer may have meant either charge. The transfers are in the order of recording.
 */
export async function rejectAmbiguous(
  tx: Tx,
  matches: ReadonlyMap<Transfer, ChargeMatch>,
  account: ReceivingAccount,
): Promise<ReadonlyMap<Transfer, ChargeMatch>> {
  const differing = [...matches.keys()].filter((transfer) => isOtherAmount(transfer, matches.get(transfer)!));
  const candidates = await findPayableByAmount(tx, differing, account);
  const completedIds = new Set<string>();
  const check = (transfer: Transfer, match: ChargeMatch): ChargeMatch => {
    if ('reason' in match) return match;
    const folded = foldReference(transfer.reference);
    const isAmbiguous = (candidates.get(transfer) ?? []).some(
      (other) =>
        other.id !== match.charge.id &&
        !completedIds.has(other.id) &&
        isPaidInTime(transfer, other, account) &&
        getReferenceDistance(folded, other.paymentReference) <= ambiguousDistanceMax,
    );
    if (isAmbiguous) return { reason: 'ambiguous_reference' };
    // A later transfer finds the charge completed, as if the transfers were recorded one at a time.
    if (transfer.amount >= match.charge.customerAmount - match.charge.amountReceived)
      completedIds.add(match.charge.id);
    return match;
  };
  return new Map([...matches].map(([transfer, match]) => [transfer, check(transfer, match)]));
}

function isOtherAmount({ amount }: Transfer, match: ChargeMatch): boolean {
  if ('reason' in match) return false;
  const { customerAmount, amountReceived } = match.charge;
  return amount !== customerAmount && amount !== customerAmount - amountReceived;
}

type Candidate = Pick<Charge, 'id' | 'paymentReference' | 'expiresAt'>;

/** Returns the payable charges of the account with exactly the amount and with a part of a reference in common. */
async function findPayableByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<Map<Transfer, Candidate[]>> {
  if (transfers.length === 0) return new Map();
  const from = ({ paidAt }: Transfer) => new Date(paidAt.getTime() - ambiguousDays.before * dayMs);
  const until = ({ paidAt }: Transfer) => new Date(paidAt.getTime() + ambiguousDays.after * dayMs);
  // Two errors leave at least one of three parts of a reference intact.
  const rows = await tx.$queryRaw<(Candidate & { at: bigint })[]>`
    SELECT item.at, charge.id, charge.payment_reference AS "paymentReference", charge.expires_at AS "expiresAt"
    FROM unnest(${transfers.map(({ amount }) => String(amount))}::bigint[], ${transfers.map(from)}::timestamptz[],
      ${transfers.map(until)}::timestamptz[], ${transfers.map(({ reference }) => foldReference(reference))}::text[])
      WITH ORDINALITY AS item (amount, since, until, folded, at)
    CROSS JOIN LATERAL (
      SELECT id, payment_reference, expires_at FROM charge
      WHERE receiving_account_id = ${account.id} AND customer_amount = item.amount AND status <> 'completed'
        AND status <> 'cancelled' AND created_at BETWEEN item.since AND item.until
        AND (strpos(item.folded, left(payment_reference, 4)) > 0
          OR strpos(item.folded, substr(payment_reference, 5, 3)) > 0 OR strpos(item.folded, right(payment_reference, 3)) > 0)
      ORDER BY created_at DESC LIMIT ${candidatesMax}) charge
    ORDER BY item.at, charge.id`;
  const groups = Map.groupBy(rows, ({ at }) => Number(at) - 1);
  return new Map([...groups].map(([i, group]) => [transfers[i]!, group]));
}
