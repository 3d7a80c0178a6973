import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { lockReceivingAccount } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { dismissInTransaction } from './dismiss-transfers.ts';
import { foldCase, parseIgnoredText } from './ignored-texts.ts';
import { previewIgnoreRule } from './preview-ignore-rule.ts';

type RuleOptions<Input> = MerchantScope & {
  input: Input & { receivingAccountId: string; text: string };
  audit: AuditContext;
  now: Date;
};

const rulesMax = 50;
/** Transfers that a new rule dismisses at once. */
const dismissedMax = 100;

/**
 * Adds a rule to an account: unmatched transfers whose text contains `text` are dismissed when they are recorded.
 * `dismissUnmatched` also dismisses the newest transfers that need review now. Returns the account and the number of
 * dismissed transfers. Errors: `receiving_account_not_found`, `invalid_request`.
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
      ...{ merchantId, mode, ...audit, action: 'ignore_rule.deleted' },
      ...{ objectId: id, detail: { text } },
    });
    return uow.tx.receivingAccount.update({ where: { id }, data });
  });
}
