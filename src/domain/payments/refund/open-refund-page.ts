import type { Charge, Merchant, Refund } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { getPageTokenId, requirePageToken } from '../customer-page/page-tokens.ts';

export type RefundPage = { refund: Refund; charge: Charge; merchant: Merchant };

/**
 * Returns the refund that a page token grants access to. Throws `refund_not_found`, or `link_closed` for a
 * token that was valid until the details were requested again.
 */
export async function openRefundPage(
  service: Db & { secrets: Secrets },
  { token }: { token: string },
): Promise<RefundPage> {
  const row = await service.prisma.refund.findUnique({
    where: { id: getPageTokenId(token) },
    include: { charge: { include: { merchant: true } } },
  });
  const notFound = 'refund_not_found';
  const refundRow = requirePageToken(service.secrets, 'refund', { object: row, token, notFound });
  const { charge: chargeAndMerchant, ...refund } = refundRow;
  const { merchant, ...charge } = chargeAndMerchant;
  return { refund, charge, merchant };
}
