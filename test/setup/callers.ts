import type { UserRole } from '../../prisma/client/client.ts';
import type { MerchantCaller } from '../../src/domain/accounts/api-key/permissions.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { rolePermissions } from '../../src/domain/accounts/user/role-permissions.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { makeUser } from './sign-in.ts';

let callers = 0;

/** An owner of the merchant, as the operations see who calls. */
export function ownerOf({ merchant }: NewMerchant, mode: MerchantCaller['mode'] = 'live'): MerchantCaller {
  return { merchant, mode, permissions: new Set(rolePermissions.owner[mode]), actor: 'user:owner' };
}

/** A user of a merchant as the operations see who is signed in, with all permissions. */
export async function makeCaller(
  service: Service,
  merchant: NewMerchant,
  { role = 'owner', now }: { role?: UserRole; now: Date },
): Promise<MerchantCaller> {
  callers += 1;
  const { id: merchantId } = merchant.merchant;
  const user = await makeUser(service, { merchantId, email: `caller${callers}@example.com`, role, now });
  return { ...ownerOf(merchant), actor: `user:${user.id}`, user };
}
