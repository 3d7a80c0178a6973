import type { Charge, Transfer } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import { getReferenceDistance } from '../../../../method/reference-distance.ts';
import { getUnallocatedAmount } from '../../../payments/allocation/lock-transfer.ts';
import { suggestionDays } from './amount-candidates.ts';
import { findSuggestionCandidates, type SuggestionCandidates } from './find-suggestion-candidates.ts';
import { type SplitPart, suggestSplit } from './suggest-split.ts';

/** The reasons to suggest a charge, in the order in which they are listed, each with a text for the merchant. */
export const suggestionReasons = {
  replaced_reference:
    'The transfer carries the payment reference or unique amount of a charge that the customer replaced by this one',
  same_reference: 'The transfer carries the payment reference of the charge',
  similar_reference: 'The transfer carries the payment reference of the charge with one or two typing errors',
  partial_reference:
    'The transfer carries the first seven or more characters of the payment reference of the charge',
  undone_payment:
    'A payment of this amount for the charge was undone with its statement, and has not been repeated',
  same_amount:
    'The unallocated amount of the transfer is exactly the outstanding amount of the charge, or the whole amount if the charge is paid',
  same_price:
    'The unallocated amount of the transfer is exactly the outstanding amount of the charge, or the whole amount if the charge is paid, without its `amountOffset`',
  close_amount:
    'The unallocated amount of the transfer differs by at most two percent from the outstanding amount of the charge, or from the whole amount if the charge is paid',
  known_payer: 'The payer has paid for the customer of the charge before',
  same_payer: 'The payer has the same name as the customer',
} as const;

export type SuggestionReason = keyof typeof suggestionReasons;
export type Suggestion = { charge: Charge; reasons: SuggestionReason[] };
type TransferSuggestions = { charges: Suggestion[]; split: SplitPart[] };

const reasonOrder = Object.keys(suggestionReasons) as SuggestionReason[];
const suggestionsMax = 5;
const prefixLength = 7;

/**
 * Suggests charges for unmatched transfers, the likeliest first, and a split if the charges that a transfer
 * references add up to its amount. Suggestions are never applied automatically.
 */
export async function suggestCharges(
  db: Db,
  scope: MerchantScope,
  transfers: readonly Transfer[],
): Promise<Map<string, TransferSuggestions>> {
  if (transfers.length === 0) return new Map();
  const candidates = await findSuggestionCandidates(db, scope, transfers);
  return new Map(transfers.map((transfer) => [transfer.id, buildSuggestions(transfer, candidates)]));
}

function buildSuggestions(transfer: Transfer, candidates: SuggestionCandidates): TransferSuggestions {
  const folded = foldReference(transfer.reference);
  const sharedIds = candidates.sharedIds.get(transfer.receivingAccountId) ?? [];
  const referenced = candidates.referenced.filter((charge) => {
    const distance = getReferenceDistance(folded, charge.paymentReference);
    return distance === 0 || (distance === 1 && sharedIds.includes(charge.receivingAccountId));
  });
  const replacing = findReplacing(transfer, referenced, candidates);
  const knownPayer = candidates.knownPayer.get(transfer.id) ?? [];
  const knownPayerIds = new Set(knownPayer.map(({ id }) => id));
  const undonePayment = candidates.undonePayment.get(transfer.id) ?? [];
  const undonePaymentIds = new Set(undonePayment.map(({ id }) => id));
  const sameAmount = candidates.sameAmount.get(transfer.id) ?? [];
  const samePrice = candidates.samePrice.get(transfer.id) ?? [];
  const all = [...referenced, ...replacing, ...sameAmount, ...samePrice, ...knownPayer, ...undonePayment];
  const scored = [...new Map(all.map((charge) => [charge.id, charge])).values()].map((charge) =>
    scoreCharge(transfer, charge, {
      folded,
      isReplacing: replacing.includes(charge),
      isKnownPayer: knownPayerIds.has(charge.id),
      isUndonePayment: undonePaymentIds.has(charge.id),
      undoneIds: candidates.undoneIds,
    }),
  );
  // Time alone distinguishes charges for the same amount.
  scored.sort((a, b) => b.score - a.score || b.charge.createdAt.getTime() - a.charge.createdAt.getTime());
  const charges = scored.slice(0, suggestionsMax).map(({ charge, reasons }) => ({ charge, reasons }));
  return {
    charges,
    split: suggestSplit(transfer, referenced, {
      sharedIds,
      feeRule: candidates.feeRules.get(transfer.receivingAccountId)!,
      undoneIds: candidates.undoneIds,
    }),
  };
}

/**
 * Returns the open charges that replaced a charge that the transfer names, by its payment reference or unique amount.
 * A charge in another currency cannot receive the transfer.
 */
function findReplacing(
  transfer: Transfer,
  referenced: readonly Charge[],
  candidates: SuggestionCandidates,
): Charge[] {
  const folded = foldReference(transfer.reference);
  const namedIds = referenced
    .filter(({ paymentReference }) => getReferenceDistance(folded, paymentReference) === 0)
    .map(({ id }) => id);
  const replacedIds = [...namedIds, transfer.namedChargeId ?? []].flat();
  const ids = new Set(replacedIds.flatMap((id) => candidates.replacements.get(id) ?? []));
  return candidates.referenced.filter(
    ({ id, status, customerCurrency }) =>
      ids.has(id) && status === 'pending' && customerCurrency === transfer.currency,
  );
}

/** The points of each reason. The reference weighs most, then the amount, then the payer. */
const reasonPoints: Record<SuggestionReason, number> = {
  replaced_reference: 110,
  same_reference: 60,
  similar_reference: 45,
  partial_reference: 35,
  undone_payment: 40,
  same_amount: 30,
  same_price: 25,
  close_amount: 10,
  known_payer: 20,
  same_payer: 15,
};
const secondErrorPoints = -20;
const completedPoints = -25;
const timePoints = 10;

function scoreCharge(
  transfer: Transfer,
  charge: Charge,
  {
    folded,
    isReplacing,
    isKnownPayer,
    isUndonePayment,
    undoneIds,
  }: {
    folded: string;
    isReplacing: boolean;
    isKnownPayer: boolean;
    isUndonePayment: boolean;
    undoneIds: ReadonlySet<string>;
  },
): Suggestion & { score: number } {
  const distance = getReferenceDistance(folded, charge.paymentReference);
  const isPaid = charge.status === 'completed' && !undoneIds.has(charge.id);
  const amountMatch = compareAmounts(transfer, charge, isPaid);
  const isSameAmount = amountMatch === 'same_amount';
  const isPartial =
    isSameAmount && distance > 1 && folded.includes(charge.paymentReference.slice(0, prefixLength));
  // With another amount, two errors are too weak a reason.
  const isSimilar = distance === 1 || (distance === 2 && isSameAmount && !isPartial);
  const hasReason: Record<SuggestionReason, boolean> = {
    replaced_reference: isReplacing,
    same_reference: distance === 0,
    similar_reference: isSimilar,
    partial_reference: isPartial,
    undone_payment: isUndonePayment,
    same_amount: isSameAmount,
    same_price: amountMatch === 'same_price',
    close_amount: amountMatch === 'close_amount',
    known_payer: isKnownPayer,
    same_payer: isSameName(transfer.payerName, charge),
  };
  const reasons = reasonOrder.filter((reason) => hasReason[reason]);
  const score =
    reasons.reduce((sum, reason) => sum + reasonPoints[reason], 0) +
    (distance === 2 && reasons.includes('similar_reference') ? secondErrorPoints : 0) +
    (isPaid ? completedPoints : 0) +
    getTimePoints(transfer, charge);
  return { charge, reasons, score };
}

/** Returns more points for a charge that was created closer to the payment. */
function getTimePoints({ paidAt }: Transfer, { createdAt }: Charge): number {
  const days = (paidAt.getTime() - createdAt.getTime()) / dayMs;
  if (days < -suggestionDays.after || days > suggestionDays.before) return 0;
  return timePoints * (1 - Math.max(0, days) / suggestionDays.before);
}

/**
 * Compares what is unallocated of the transfer with what is outstanding of the charge. A paid charge may have been paid
 * twice, so its whole amount is compared.
 */
function compareAmounts(
  transfer: Transfer,
  charge: Charge,
  isPaid: boolean,
): Extract<SuggestionReason, 'same_amount' | 'same_price' | 'close_amount'> | undefined {
  if (charge.customerCurrency !== transfer.currency) return undefined;
  const expected = isPaid ? charge.customerAmount : charge.customerAmount - charge.amountReceived;
  const missing = expected - getUnallocatedAmount(transfer);
  if (missing === 0n) return 'same_amount';
  if (missing === charge.amountOffset) return 'same_price';
  const difference = missing < 0n ? -missing : missing;
  return difference * 50n <= expected ? 'close_amount' : undefined;
}

/**
 * Returns whether the payer has the name of the customer. Banks write names in capitals, with the family name
 * first or last.
 */
function isSameName(payerName: string | null, charge: Charge): boolean {
  const normalizeName = (text: string) => foldWords(text).sort().join(' ');
  const name = [charge.firstName, charge.lastName].filter(Boolean).join(' ');
  return payerName !== null && name !== '' && normalizeName(payerName) === normalizeName(name);
}

function foldWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toUpperCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
