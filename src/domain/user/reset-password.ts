import type { MerchantUser } from '../../../prisma/client/client.ts';
import { foldEmail } from '../../kit/contact.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { hashPassword, makePassword } from './create-user.ts';

/** A made-up new password, shown this once; every session of the user ends. Error: `user_not_found`. */
export async function resetPassword(
  db: Db,
  options: { email: string },
): Promise<{ user: MerchantUser; password: string }> {
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  const user = await transact(db, async (tx) => {
    const email = foldEmail(options.email);
    const [changed] = await tx.merchantUser.updateManyAndReturn({ where: { email }, data: { passwordHash } });
    if (!changed) throw new DomainError('user_not_found', `There is no user ${email}`);
    await tx.userSession.deleteMany({ where: { userId: changed.id } });
    return changed;
  });
  return { user, password };
}
