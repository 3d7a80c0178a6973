import type { Charge } from '../../../../prisma/client/client.ts';

/**
 * Returns the current charge of a session, or null if there is none. It is the charge that replaced the others,
 * unless the merchant has applied a payment to an earlier charge since.
 */
export function pickCurrentCharge<C extends Pick<Charge, 'id' | 'replacesId' | 'status'>>(
  charges: readonly C[],
): C | null {
  const replacedIds = new Set(charges.map(({ replacesId }) => replacesId));
  const last = charges.find(({ id }) => !replacedIds.has(id)) ?? null;
  if (last?.status === 'completed') return last;
  return charges.find(({ status }) => status === 'completed') ?? last;
}
