import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { checkUserName } from './create-user.ts';
import { lockUser } from './lock-user.ts';
import type { SessionContext } from './reauthenticate.ts';

/** Changes the display name of a signed-in user; null removes the name. */
export async function changeName(
  db: Db,
  options: SessionContext & { name: string | null },
): Promise<MerchantUser> {
  const { user, ipAddress, now } = options;
  const name = options.name === null ? '' : checkUserName(options.name);
  return transact(db, async (uow) => {
    const before = await lockUser(uow.tx, user.id);
    if (before.name === name) return before;
    const after = await uow.tx.merchantUser.update({ where: { id: user.id }, data: { name } });
    const detail = { email: after.email, name: { from: before.name, to: name } };
    const entry = {
      merchantId: after.merchantId,
      actor: `user:${user.id}`,
      ipAddress,
      objectId: user.id,
      now,
    };
    await recordAudit(uow, { ...entry, action: 'user.updated', detail });
    return after;
  });
}
