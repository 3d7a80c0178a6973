import type { Charge } from '../../../prisma/client/client.ts';
import { DomainError } from '../../kit/errors.ts';
import { isCancelToken } from '../checkout/page-tokens.ts';
import type { Service } from '../service.ts';
import { merchantNow } from '../test-clock/merchant-now.ts';
import { cancelCharge } from './cancel-charge.ts';

/** Cancels a charge for the customer who holds its cancelToken. Errors: `unauthenticated`, `charge_not_pending`. */
export async function cancelByToken(
  service: Service,
  options: { id: string; token: string; now: Date },
): Promise<Charge> {
  const { id, token } = options;
  if (!isCancelToken(service.secrets, id, token)) {
    throw new DomainError('unauthenticated', 'The cancel token is not of this charge');
  }
  const charge = await service.prisma.charge.findUnique({ where: { id }, include: { merchant: true } });
  if (!charge) throw new DomainError('charge_not_found', `There is no charge ${id}`);
  const { merchantId, mode, merchant } = charge;
  const now = merchantNow(options.now, merchant, mode);
  return cancelCharge(service, { merchantId, mode, id, by: 'customer', actor: 'customer', now });
}
