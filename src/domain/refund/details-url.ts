import type { Refund } from '../../../prisma/client/client.ts';
import type { Secrets } from '../../kit/secrets.ts';
import type { Caller } from '../api-key/permissions.ts';
import { pageToken } from '../checkout/page-tokens.ts';
import type { Service } from '../service.ts';

type Links = { secrets: Secrets; settings: Pick<Service['settings'], 'publicUrl'> };

/** Where the customer tells where the money goes; undefined once that has been told. */
export function refundDetailsUrl(service: Links, refund: Refund): string | undefined {
  if (refund.status !== 'initiated') return undefined;
  const sandbox = refund.mode === 'sandbox' ? '?isSandbox=true' : '';
  return `${service.settings.publicUrl}/pay/refund/${pageToken(service.secrets, 'refund', refund)}${sandbox}`;
}

/**
 * Whether who asks is told that address. Whoever has it says where the money goes: so only those who may give money back, or
 * say that it was sent.
 */
export function mayDirectRefunds({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return permissions.has('refund') || permissions.has('transfers');
}

export function shownDetailsUrl(
  service: Links,
  refund: Refund,
  caller: Pick<Caller, 'permissions'>,
): string | undefined {
  return mayDirectRefunds(caller) ? refundDetailsUrl(service, refund) : undefined;
}
