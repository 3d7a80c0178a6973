import type { Charge, Merchant, Refund } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { idOfPageToken, isPageToken } from '../checkout/page-tokens.ts';
import { refundNotFound } from './lock-refund.ts';

export type RefundPage = { refund: Refund; charge: Charge; merchant: Merchant };

/**
 * The refund whose page a token opens. Errors: `refund_not_found`; `link_closed` for a token that was good until the
 * details were submitted or asked for anew.
 */
export async function openRefundPage(
  service: Db & { secrets: Secrets },
  { token }: { token: string },
): Promise<RefundPage> {
  const id = idOfPageToken(token);
  const found = await service.prisma.refund.findUnique({
    where: { id },
    include: { charge: { include: { merchant: true } } },
  });
  if (!found) throw refundNotFound(id);
  const { charge: chargeAndMerchant, ...refund } = found;
  const { merchant, ...charge } = chargeAndMerchant;
  for (let generation = refund.pageGeneration; generation >= 0; generation--) {
    if (!isPageToken(service.secrets, 'refund', { id, pageGeneration: generation }, token)) continue;
    if (generation === refund.pageGeneration) return { refund, charge, merchant };
    throw new DomainError('link_closed', 'This link has been used');
  }
  throw refundNotFound(id);
}
