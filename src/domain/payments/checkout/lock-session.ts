import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

export async function lockSession(tx: Tx, id: string): Promise<CheckoutSession> {
  await tx.$queryRaw`SELECT 1 FROM checkout_session WHERE id = ${id} FOR UPDATE`;
  const session = await tx.checkoutSession.findUnique({ where: { id } });
  if (!session) throw new DomainError('session_not_found', `Session not found: ${id}`);
  return session;
}
