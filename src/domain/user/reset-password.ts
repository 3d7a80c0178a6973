import type { MerchantUser } from '../../../prisma/client/client.ts';
import { foldEmail } from '../../kit/contact.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { type Doer, recordAudit } from '../audit/record-audit.ts';
import { hashPassword, makePassword } from './create-user.ts';

/** A made-up new password, shown this once; every session of the user ends. Error: `user_not_found`. */
export async function resetPassword(
  db: Db,
  options: Doer & { email: string; now: Date },
): Promise<{ user: MerchantUser; password: string }> {
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  const user = await transact(db, async (tx) => {
    const email = foldEmail(options.email);
    const [changed] = await tx.merchantUser.updateManyAndReturn({
      where: { email, disabledAt: null },
      data: { passwordHash },
    });
    if (!changed) throw new DomainError('user_not_found', `There is no user ${email}`);
    await tx.userSession.deleteMany({ where: { userId: changed.id } });
    const { id, merchantId } = changed;
    const { actor, address, now } = options;
    const entry = { merchantId, actor, address, objectId: id, detail: { email }, now };
    await recordAudit(tx, { ...entry, action: 'user.password_reset' });
    return changed;
  });
  return { user, password };
}
