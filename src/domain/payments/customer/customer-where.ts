import type { Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail, phoneDigits } from '../../../kit/contact.ts';
import type { Owner } from '../../../kit/owner.ts';

/** Customers of a merchant in a mode, as Prisma says it; e-mail and phone whole. */
export function customerWhere(
  options: Owner & { email?: string | undefined; phone?: string | undefined },
): Prisma.CustomerWhereInput {
  const { merchantId, mode, email, phone } = options;
  return {
    merchantId,
    mode,
    ...(email !== undefined && { email: foldEmail(email) }),
    ...(phone !== undefined && { phone: `+${phoneDigits(phone)}` }),
  };
}
