import { Prisma } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { foldCase, ignorableReasons, parseIgnoredText } from './ignored-texts.ts';

/** The transfers that a rule would have ignored, newest first, by what happened to them. */
export type IgnoreRulePreview = {
  /** IDs of all of them. */
  ids: string[];
  /** IDs of those that need review now. */
  unmatchedIds: string[];
  /** How many were assigned to charges manually, which a rule would have prevented. */
  assignedCount: number;
};

/** The number of the merchant's newest transfers that a preview reads. */
export const previewedTransfersMax = 20_000;

/**
 * Finds the transfers on an account that a rule with the text would have ignored, among the newest of the merchant.
 * Throws `invalid_request`.
 */
export async function previewIgnoreRule(
  { prisma }: { prisma: Pick<Tx, '$queryRaw'> },
  options: MerchantScope & { receivingAccountId: string; text: string },
): Promise<IgnoreRulePreview> {
  const { merchantId, mode, receivingAccountId } = options;
  const text = foldCase(parseIgnoredText(options.text));
  const rows = await prisma.$queryRaw<{ id: string; status: string }[]>`
    SELECT id, status::text FROM (
      SELECT * FROM transfer WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
      ORDER BY id DESC LIMIT ${previewedTransfersMax}) newest
    WHERE receiving_account_id = ${receivingAccountId} AND direction = 'credit' AND undone_at IS NULL
      AND (status IN ('matched', 'partial', 'over', 'returned', 'dismissed') OR status = 'exception'
        AND reason IN (${Prisma.join([...ignorableReasons])}) AND allocated = 0)
      AND (strpos(upper(reference), ${text}) > 0 OR strpos(upper(payer_name), ${text}) > 0)
      AND NOT EXISTS (SELECT FROM allocation WHERE transfer_id = newest.id AND reason IN ('matched', 'reversed'))
    ORDER BY id DESC`;
  const withStatus = (...statuses: string[]) =>
    rows.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  return {
    ids: rows.map(({ id }) => id),
    unmatchedIds: withStatus('exception'),
    assignedCount: withStatus('matched', 'partial', 'over').length,
  };
}
