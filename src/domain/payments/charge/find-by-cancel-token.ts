import type { Charge, Merchant } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { isCancelToken } from '../customer-page/page-tokens.ts';

/**
 * Returns the charge that a cancel token authorizes. Throws `unauthenticated` for a wrong token or an unknown
 * charge.
 */
export async function findByCancelToken(
  service: Service,
  { id, token }: { id: string; token: string },
): Promise<Charge & { merchant: Merchant }> {
  const charge = await service.prisma.charge.findUnique({ where: { id }, include: { merchant: true } });
  if (!charge || !isCancelToken(service.secrets, charge, token))
    throw new DomainError('unauthenticated', 'The cancel token does not belong to this charge');
  return charge;
}
