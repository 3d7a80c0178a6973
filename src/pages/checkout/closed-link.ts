import type { FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { getCheckoutLinkWithCharge } from '../../domain/payments/checkout-link/get-checkout-link.ts';
import { createClientToken } from '../../domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { DomainError } from '../../kit/errors.ts';
import { PageError } from '../error-page.ts';
import { getCreatedChargeIds } from './browser.ts';
import { type CheckoutQuery, toChargeUrl } from './checkout-url.ts';

export function isLinkClosed(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'link_closed';
}

/**
 * Returns the URL of the charge that this browser created from a link that is now closed. Throws `PageError` if there
 * is none.
 */
export async function resolveClosedLink(
  service: Service,
  request: FastifyRequest,
  query: CheckoutQuery,
): Promise<string> {
  const listChargeIds = (mode: Mode) => getCreatedChargeIds(service, request, mode);
  const { link, merchant, charge } = await getCheckoutLinkWithCharge(service, {
    id: query.link ?? '',
    listChargeIds,
  });
  if (charge) return toChargeUrl(createClientToken(service.secrets, charge), query);
  throw new PageError('linkClosed', 410, { merchant, mode: link.mode, redirectUrl: link.redirectUrl });
}
