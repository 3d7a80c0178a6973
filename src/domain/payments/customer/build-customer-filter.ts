import type { Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail, toPhoneDigits } from '../../../kit/contact.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/**
 * Returns a Prisma condition for the customers of a merchant. Email and phone are normalized and must match
 * exactly.
 */
export function buildCustomerFilter(
  options: MerchantScope & {
    email?: string | undefined;
    phone?: string | undefined;
    /** True excludes customers at a counter, who gave neither email nor phone. */
    isIdentified?: boolean | undefined;
  },
): Prisma.CustomerWhereInput {
  const { merchantId, mode, email, phone, isIdentified = false } = options;
  return {
    merchantId,
    mode,
    ...(email !== undefined && { email: foldEmail(email) }),
    ...(phone !== undefined && { phone: `+${toPhoneDigits(phone)}` }),
    ...(isIdentified && { OR: [{ email: { not: null } }, { phone: { not: null } }] }),
  };
}
