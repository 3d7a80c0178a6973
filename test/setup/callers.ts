import type { UserRole } from '../../prisma/client/client.ts';
import type { MerchantCaller } from '../../src/domain/accounts/api-key/permissions.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { rolePermissions } from '../../src/domain/accounts/user/roles.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { createCounter } from './create-counter.ts';
import { seedUser } from './sign-in.ts';

const nextCallerNumber = createCounter();

export function toOwnerCaller(
  { merchant }: NewMerchant,
  mode: MerchantCaller['mode'] = 'live',
): MerchantCaller {
  return { merchant, mode, permissions: new Set(rolePermissions.owner[mode]), actor: 'user:owner' };
}

/**
 * Creates a user of the merchant, and returns a caller of operations with all permissions of an owner, regardless of
 * `role`.
 */
export async function seedCaller(
  service: Service,
  merchant: NewMerchant,
  { role = 'owner', now }: { role?: UserRole; now: Date },
): Promise<MerchantCaller> {
  const { id: merchantId } = merchant.merchant;
  const user = await seedUser(service, {
    merchantId,
    email: `caller${nextCallerNumber()}@example.com`,
    role,
    now,
  });
  return { ...toOwnerCaller(merchant), actor: `user:${user.id}`, user };
}
