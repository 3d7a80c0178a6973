import type { CheckoutSession, Merchant } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { requireMerchantHere } from '../../platform/merchant/require-enabled-merchant.ts';
import { type CheckoutCharge, readCheckoutCharge } from '../checkout/get-checkout-charge.ts';
import { pickCurrentCharge } from './session-state.ts';

type OpenedSession = { session: CheckoutSession; merchant: Merchant; charge: CheckoutCharge | null };

/**
 * Returns a session with everything that its page shows. The ID alone grants access to the page. Throws
 * `session_not_found` and `merchant_moved`.
 */
export async function openSession(db: Db, options: { id: string }): Promise<OpenedSession> {
  const row = await db.prisma.checkoutSession.findUnique({
    where: { id: options.id },
    include: { charges: { select: { id: true, mode: true, replacesId: true, status: true } } },
  });
  if (!row) throw new DomainError('session_not_found', `Session not found: ${options.id}`);
  const { charges, ...session } = row;
  const currentCharge = pickCurrentCharge(charges);
  const charge = currentCharge && (await readCheckoutCharge(db, currentCharge));
  const merchant =
    charge?.merchant ?? (await db.prisma.merchant.findUniqueOrThrow({ where: { id: session.merchantId } }));
  requireMerchantHere(merchant);
  return { session, merchant, charge };
}
