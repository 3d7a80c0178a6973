import type { Charge, CheckoutSession, Merchant, Mode } from '../../../../prisma/client/client.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { nounOfId } from '../../../kit/id.ts';
import { refuseDisabled } from '../../accounts/merchant/refuse-disabled.ts';
import type { Service } from '../../platform/service.ts';
import { sessionStatusAt } from '../session/session-state.ts';
import { readClientToken } from './page-tokens.ts';

/** What a client token opens: one session with its charge, or one charge. */
export type ClientTokenHolder = {
  merchant: Merchant;
  mode: Mode;
  noun: 'session' | 'charge';
  id: string;
};

/** A page may still show how it ended, for so long. */
const graceMs = dayMs;

/**
 * The object a client token speaks for. It ends 24 hours after that object has: a session that was charged ends with
 * its charge. Errors: `unauthenticated`, `account_disabled`.
 */
export async function authenticateClientToken(
  service: Service,
  token: string,
  now: Date,
): Promise<ClientTokenHolder> {
  const signed = readClientToken(service.secrets, token);
  const found = signed && (await findObject(service, signed, now));
  if (!found || (found.endedAt && now.getTime() > found.endedAt.getTime() + graceMs)) {
    throw new DomainError('unauthenticated', 'The client token is invalid or has expired');
  }
  const { endedAt: _, merchantId, ...holder } = found;
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  refuseDisabled(merchant);
  return { merchant, ...holder };
}

type Found = Omit<ClientTokenHolder, 'merchant'> & { merchantId: string; endedAt: Date | undefined };

async function findObject(
  service: Service,
  { id, mode }: { id: string; mode: Mode },
  now: Date,
): Promise<Found | undefined> {
  const noun = nounOfId(id);
  if (noun === 'charge') {
    const charge = await service.prisma.charge.findUnique({ where: { id, mode } });
    return charge ? { ...holderOf(charge), noun, endedAt: chargeEnd(charge) } : undefined;
  }
  if (noun === 'session') {
    const session = await service.prisma.checkoutSession.findUnique({
      where: { id, mode },
      include: { charge: true },
    });
    return session ? { ...holderOf(session), noun, endedAt: sessionEnd(session, now) } : undefined;
  }
  return undefined;
}

function holderOf({ id, merchantId, mode }: { id: string; merchantId: string; mode: Mode }) {
  return { id, merchantId, mode };
}

/** A charge that is being paid has not ended, whatever the clock says: the job decides when it expires. */
function chargeEnd(charge: Charge): Date | undefined {
  if (charge.status === 'pending') return undefined;
  if (charge.status === 'expired') return charge.expiresAt;
  return charge.completedAt ?? charge.updatedAt;
}

function sessionEnd(session: CheckoutSession & { charge: Charge | null }, now: Date): Date | undefined {
  if (session.charge) return chargeEnd(session.charge);
  const status = sessionStatusAt(session, now);
  if (status === 'expired') return session.expiresAt;
  return status === 'cancelled' ? session.updatedAt : undefined;
}
