import type { Merchant } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { invalidInput } from '../../kit/errors.ts';

/** Opens the restricted endpoints to a merchant. Error: 400 when there is no such merchant. */
export async function grantRestrictedAccess(db: Db, options: { id: string; now: Date }): Promise<Merchant> {
  return transact(db, async (tx) => {
    const [merchant] = await tx.merchant.updateManyAndReturn({
      where: { id: options.id },
      data: { restrictedAccess: 'granted', updatedAt: options.now },
    });
    if (!merchant) throw invalidInput('/id', `${options.id} is no merchant`);
    return merchant;
  });
}
