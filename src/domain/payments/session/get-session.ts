import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { chargeInclude } from '../charge/get-charge.ts';
import type { ChargeWithRefunds } from '../charge/read-charge.ts';
import { pickCurrentCharge } from './session-state.ts';

export async function getSession(db: Db, options: ScopedId): Promise<CheckoutSession> {
  const session = await db.prisma.checkoutSession.findFirst({ where: options });
  if (!session) throw new DomainError('session_not_found', `Session not found: ${options.id}`);
  return session;
}

/**
 * Returns the current charge of a session. Throws `session_not_found`, or `charge_not_found` if there is none yet.
 */
export async function getSessionCharge(db: Db, options: ScopedId): Promise<ChargeWithRefunds> {
  const session = await getSession(db, options);
  const charges = await db.prisma.charge.findMany({
    where: { sessionId: session.id },
    include: chargeInclude,
  });
  const charge = pickCurrentCharge(charges);
  if (!charge) throw new DomainError('charge_not_found', `The session ${session.id} has no charge yet`);
  return charge;
}
