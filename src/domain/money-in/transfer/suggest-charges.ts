import type { Charge, Transfer } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { findSimilarReferences } from '../../../method/find-similar-references.ts';
import { foldReference } from '../../../method/payment-reference.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';

/** Why a charge is suggested, strongest first, with a text for the merchant. */
export const suggestionReasons = {
  same_reference: 'The transfer carries the payment reference of the charge',
  similar_reference: 'The transfer carries the payment reference of the charge with one typing error',
  same_payer: 'The payer has the same name as the customer',
  same_amount: 'The charge is for exactly this amount and was created shortly before',
} as const;

export type SuggestionReason = keyof typeof suggestionReasons;
export type Suggestion = { charge: Charge; reasons: SuggestionReason[] };

const reasonOrder = Object.keys(suggestionReasons) as SuggestionReason[];
const suggestionsMax = 5;
/**
 * How many days before the payment date a charge with the same amount may have been created, and how many
 * days after it, because of the bank's calendar.
 */
const sameAmountDays = { before: 14, after: 1 };

/**
 * Suggests charges for unmatched transfers, the likeliest first. Suggestions are never matched automatically.
 * The number of SQL statements does not depend on the number of transfers.
 */
export async function suggestCharges(
  db: Db,
  scope: MerchantScope,
  transfers: readonly Transfer[],
): Promise<Map<string, Suggestion[]>> {
  const [referencedCharges, sameAmountCharges] = await Promise.all([
    findReferencedCharges(db, scope, transfers),
    findSameAmount(db, transfers),
  ]);
  return new Map(
    transfers.map((transfer) => [
      transfer.id,
      buildSuggestions(transfer, referencedCharges, sameAmountCharges.get(transfer.id) ?? []),
    ]),
  );
}

function buildSuggestions(
  transfer: Transfer,
  referencedCharges: readonly Charge[],
  sameAmountCharges: readonly Charge[],
): Suggestion[] {
  const exactReferences = new Set(getPaymentReferences(transfer));
  const similarReferences = new Set(findSimilarReferences(foldReference(transfer.reference)));
  const candidates = [
    ...referencedCharges.filter(({ paymentReference }) => exactReferences.has(paymentReference)),
    ...referencedCharges.filter(
      (charge) =>
        similarReferences.has(charge.paymentReference) &&
        charge.receivingAccountId === transfer.receivingAccountId,
    ),
    ...sameAmountCharges,
  ];
  const charges = new Map(candidates.map((charge) => [charge.id, charge]));
  const suggestions = [...charges.values()].map((charge): Suggestion => {
    const hasReason: Record<SuggestionReason, boolean> = {
      same_reference: exactReferences.has(charge.paymentReference),
      similar_reference:
        similarReferences.has(charge.paymentReference) && !exactReferences.has(charge.paymentReference),
      same_payer: isSameName(transfer.payerName, charge),
      same_amount: charge.customerAmount === transfer.amount && charge.customerCurrency === transfer.currency,
    };
    return { charge, reasons: reasonOrder.filter((reason) => hasReason[reason]) };
  });
  const rank = ({ reasons }: Suggestion) =>
    reasons.reduce((sum, reason) => sum + 2 ** -reasonOrder.indexOf(reason), 0);
  return suggestions.sort((a, b) => rank(b) - rank(a)).slice(0, suggestionsMax);
}

function findReferencedCharges(
  db: Db,
  scope: MerchantScope,
  transfers: readonly Transfer[],
): Promise<Charge[]> {
  const paymentReferences = new Set(
    transfers.flatMap((transfer) => [
      ...getPaymentReferences(transfer),
      ...findSimilarReferences(foldReference(transfer.reference)),
    ]),
  );
  if (paymentReferences.size === 0) return Promise.resolve([]);
  return db.prisma.charge.findMany({
    where: { ...scope, receivingAccount: scope, paymentReference: { in: [...paymentReferences] } },
    orderBy: { id: 'desc' },
  });
}

/** Returns the newest unpaid charges on the same account with exactly the amount of each transfer. */
async function findSameAmount(db: Db, transfers: readonly Transfer[]): Promise<Map<string, Charge[]>> {
  const from = ({ paidAt }: Transfer) => new Date(paidAt.getTime() - sameAmountDays.before * dayMs);
  const to = ({ paidAt }: Transfer) => new Date(paidAt.getTime() + sameAmountDays.after * dayMs);
  const pairs = await db.prisma.$queryRaw<{ transferId: string; chargeId: string }[]>`
    SELECT item.id AS "transferId", candidate.id AS "chargeId"
    FROM unnest(${transfers.map(({ id }) => id)}::text[], ${transfers.map((one) => one.receivingAccountId)}::text[],
      ${transfers.map(({ amount }) => String(amount))}::bigint[], ${transfers.map(({ currency }) => currency)}::text[],
      ${transfers.map(from)}::timestamptz[], ${transfers.map(to)}::timestamptz[])
      item (id, account, amount, currency, since, until)
    CROSS JOIN LATERAL (
      SELECT id FROM charge
      WHERE receiving_account_id = item.account AND customer_amount = item.amount AND status <> 'completed'
        AND customer_currency = item.currency AND created_at BETWEEN item.since AND item.until
      ORDER BY created_at DESC LIMIT ${suggestionsMax}) candidate`;
  const charges = await db.prisma.charge.findMany({
    where: { id: { in: pairs.map(({ chargeId }) => chargeId) } },
  });
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  const groups = Map.groupBy(pairs, ({ transferId }) => transferId);
  return new Map(
    [...groups].map(([id, group]) => [id, group.flatMap(({ chargeId }) => byId.get(chargeId) ?? [])]),
  );
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
