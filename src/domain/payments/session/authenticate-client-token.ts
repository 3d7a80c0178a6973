import type { Charge, CheckoutSession, Merchant, Mode } from '../../../../prisma/client/client.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { getIdType } from '../../../kit/id.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { readClientToken } from '../customer-page/page-tokens.ts';
import { getSessionStatusAt, pickCurrentCharge } from './session-state.ts';

/** The object that a client token grants access to: a session with its charge, or a charge. */
type ClientTokenScope = {
  merchant: Merchant;
  mode: Mode;
  objectType: 'session' | 'charge';
  id: string;
};

/** How long after the end of the object a page may show the outcome. */
const graceMs = dayMs;

/**
 * Returns the object that a client token grants access to. A token is valid until 24 hours after its object
 * ends; a session with a charge ends with that charge, or later if the charge expires before the session. Throws
 * `unauthenticated` and the errors of `requireEnabledMerchant`.
 */
export async function authenticateClientToken(
  service: Service,
  token: string,
  now: Date,
): Promise<ClientTokenScope> {
  const claims = readClientToken(service.secrets, token);
  const object = claims && (await findObject(service, claims, now));
  if (!object || (object.endedAt && now.getTime() > object.endedAt.getTime() + graceMs)) {
    throw new DomainError('unauthenticated', 'The client token is invalid or has expired');
  }
  const { endedAt: _, merchantId, ...scope } = object;
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  requireEnabledMerchant(merchant);
  return { merchant, ...scope };
}

type TokenObject = Omit<ClientTokenScope, 'merchant'> & { merchantId: string; endedAt: Date | undefined };

async function findObject(
  service: Service,
  claims: { id: string; mode: Mode; merchantId?: string },
  now: Date,
): Promise<TokenObject | undefined> {
  const objectType = getIdType(claims.id);
  if (objectType === 'charge') {
    const charge = await service.prisma.charge.findUnique({ where: claims });
    return charge ? { ...toTokenScope(charge), objectType, endedAt: getChargeEnd(charge) } : undefined;
  }
  if (objectType === 'session') {
    const session = await service.prisma.checkoutSession.findUnique({
      where: claims,
      include: { charges: true },
    });
    return session
      ? { ...toTokenScope(session), objectType, endedAt: getSessionEnd(session, now) }
      : undefined;
  }
  return undefined;
}

function toTokenScope({ id, merchantId, mode }: { id: string; merchantId: string; mode: Mode }) {
  return { id, merchantId, mode };
}

/**
 * Returns when a charge ended. A pending charge has not ended, even after `expiresAt`: only the expiry job
 * ends it.
 */
function getChargeEnd(charge: Charge): Date | undefined {
  if (charge.status === 'pending') return undefined;
  if (charge.status === 'expired') return charge.expiresAt;
  return charge.completedAt ?? charge.updatedAt;
}

/** Returns when a session ended. While it is valid, the customer may start an expired charge again. */
function getSessionEnd(session: CheckoutSession & { charges: Charge[] }, now: Date): Date | undefined {
  const charge = pickCurrentCharge(session.charges);
  if (charge && charge.status !== 'expired') return getChargeEnd(charge);
  const status = getSessionStatusAt(session, now);
  if (status === 'cancelled') return session.updatedAt;
  if (charge) return charge.expiresAt > session.expiresAt ? charge.expiresAt : session.expiresAt;
  return status === 'expired' ? session.expiresAt : undefined;
}
