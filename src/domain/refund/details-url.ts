import type { Refund } from '../../../prisma/client/client.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { pageToken } from '../checkout/page-tokens.ts';
import type { Service } from '../service.ts';

/** Where the customer tells where the money goes; undefined once that has been told. */
export function refundDetailsUrl(
  service: { secrets: Secrets; settings: Pick<Service['settings'], 'publicUrl'> },
  refund: Refund,
): string | undefined {
  if (refund.status !== 'initiated') return undefined;
  const sandbox = refund.mode === 'sandbox' ? '?isSandbox=true' : '';
  return `${service.settings.publicUrl}/pay/refund/${pageToken(service.secrets, 'refund', refund)}${sandbox}`;
}
