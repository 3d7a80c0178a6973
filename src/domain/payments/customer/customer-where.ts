import type { Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail, phoneDigits } from '../../../kit/contact.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/** Customers of a merchant in a mode, as Prisma says it; e-mail and phone whole. */
export function customerWhere(
  options: MerchantScope & { email?: string | undefined; phone?: string | undefined },
): Prisma.CustomerWhereInput {
  const { merchantId, mode, email, phone } = options;
  return {
    merchantId,
    mode,
    ...(email !== undefined && { email: foldEmail(email) }),
    ...(phone !== undefined && { phone: `+${phoneDigits(phone)}` }),
  };
}
