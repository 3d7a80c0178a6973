import { Prisma, type ReceivingAccount } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../../kit/db.ts';
import { invalidInputError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { lockReceivingAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import { dismissInTransaction } from './dismiss-transfers.ts';
import { foldCase, ignorableReasons, parseIgnoredText } from './ignored-texts.ts';

type RuleOptions<Input> = MerchantScope & {
  input: Input & { receivingAccountId: string; text: string };
  audit: AuditContext;
  now: Date;
};

const rulesMax = 50;
/** The maximum number of transfers that a new rule dismisses immediately. */
const dismissedMax = 100;

/**
 * Adds a rule to an account: unmatched transfers whose reference text or payer name contains `text` are dismissed
 * when they are recorded. `dismissUnmatched` also dismisses the newest of such transfers that need review now.
 * Returns the account and the number of dismissed transfers. Errors: `receiving_account_not_found`,
 * `invalid_request`.
 */
export async function createIgnoreRule(
  db: Db,
  options: RuleOptions<{ dismissUnmatched?: boolean | null | undefined }>,
): Promise<{ account: ReceivingAccount; dismissedCount: number }> {
  const { merchantId, mode, input, audit, now } = options;
  const scope = { merchantId, mode };
  const text = parseIgnoredText(input.text);
  return transact(db, async (uow) => {
    const { id, ignoredTexts } = await lockReceivingAccount(uow.tx, {
      ...scope,
      id: input.receivingAccountId,
    });
    if (ignoredTexts.some((existing) => foldCase(existing) === foldCase(text)))
      throw invalidInputError('/text', 'is already ignored on this account');
    if (ignoredTexts.length >= rulesMax)
      throw invalidInputError('/text', `exceeds the limit of ${rulesMax} rules for each account`);
    const data = { ignoredTexts: [...ignoredTexts, text], updatedAt: now };
    const account = await uow.tx.receivingAccount.update({ where: { id }, data });
    await recordAudit(uow, {
      ...scope,
      ...audit,
      action: 'ignore_rule.created',
      objectId: id,
      detail: { text },
    });
    if (!input.dismissUnmatched) return { account, dismissedCount: 0 };
    const { unmatchedIds } = await previewIgnoreRule({ prisma: uow.tx }, { ...scope, ...input });
    const ids = unmatchedIds.slice(0, dismissedMax).toSorted();
    const dismissed = await dismissInTransaction(uow, { ...scope, ids, note: text, audit, now });
    return { account, dismissedCount: dismissed.length };
  });
}

/**
 * Removes a rule. Transfers that it dismissed stay dismissed. Errors: `receiving_account_not_found`,
 * `invalid_request`.
 */
export async function deleteIgnoreRule(db: Db, options: RuleOptions<object>): Promise<ReceivingAccount> {
  const { merchantId, mode, input, audit, now } = options;
  const { text } = input;
  return transact(db, async (uow) => {
    const scopedId = { merchantId, mode, id: input.receivingAccountId };
    const { id, ignoredTexts } = await lockReceivingAccount(uow.tx, scopedId);
    if (!ignoredTexts.includes(text)) throw invalidInputError('/text', 'is not ignored on this account');
    const data = { ignoredTexts: ignoredTexts.filter((ignored) => ignored !== text), updatedAt: now };
    await recordAudit(uow, {
      merchantId,
      mode,
      ...audit,
      action: 'ignore_rule.deleted',
      objectId: id,
      detail: { text },
    });
    return uow.tx.receivingAccount.update({ where: { id }, data });
  });
}

/** The transfers that a rule would have ignored; IDs are newest first. */
export type IgnoreRulePreview = {
  /** All of these transfers. */
  ids: string[];
  /** Those that need review now. */
  unmatchedIds: string[];
  /** The number of those that were assigned to charges manually, which the rule would have prevented. */
  assignedCount: number;
};

/** The number of the merchant's newest transfers that a preview reads. */
const previewedTransfersMax = 20_000;

/** Finds the transfers on an account that a rule with the text would have ignored, among the newest of the merchant. */
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
