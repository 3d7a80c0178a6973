import type { BankFeed } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { encryptFeedCredentials, lockBankFeed } from './open-bank-feed.ts';

/**
 * Deletes a bank feed and its credentials. Its URL responds with 404 from now on. The row stays for its
 * deliveries, and because later feeds may report the same payments. Error: `bank_feed_not_found`.
 */
export async function deleteBankFeed(
  db: Db & { secrets: Secrets },
  options: ScopedId & AuditContext,
): Promise<BankFeed> {
  const { merchantId, mode, id, actor, ipAddress, now } = options;
  return transact(db, async (uow) => {
    const { name } = await lockBankFeed(uow.tx, options);
    const feed = await uow.tx.bankFeed.update({
      where: { id },
      data: {
        deletedAt: now,
        nextPollAt: null,
        updatedAt: now,
        credentialsEncrypted: encryptFeedCredentials(db.secrets, id, {}),
      },
    });
    const entry = { merchantId, mode, actor, ipAddress, objectId: id, detail: { name }, now };
    await recordAudit(uow, { ...entry, action: 'bank_feed.deleted' });
    return feed;
  });
}
