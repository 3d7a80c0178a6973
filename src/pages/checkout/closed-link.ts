import type { FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { createClientToken } from '../../domain/payments/checkout/page-tokens.ts';
import { getClosedCheckoutLink } from '../../domain/payments/checkout-link/get-closed-checkout-link.ts';
import type { Service } from '../../domain/platform/service.ts';
import { DomainError } from '../../kit/errors.ts';
import { PageError } from '../error-page.ts';
import { type CheckoutQuery, chargeAddress } from './address.ts';
import { getCreatedCharges } from './browser.ts';

export function isLinkClosed(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'link_closed';
}

/**
 * Returns the URL of the charge that this browser created from a closed link, perhaps as its last use. Throws
 * `PageError` if there is none.
 */
export async function resolveClosedLink(
  service: Service,
  request: FastifyRequest,
  query: CheckoutQuery,
): Promise<string> {
  const chargeIds = (mode: Mode) => getCreatedCharges(service, request, mode);
  const { link, merchant, charge } = await getClosedCheckoutLink(service, {
    id: query.link ?? '',
    chargeIds,
  });
  if (charge) return chargeAddress(createClientToken(service.secrets, charge), query);
  throw new PageError('linkClosed', 410, { merchant, mode: link.mode, redirectUrl: link.redirectUrl });
}
