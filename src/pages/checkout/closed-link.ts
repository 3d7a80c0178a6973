import type { FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { clientToken } from '../../domain/payments/checkout/page-tokens.ts';
import { openClosedLink } from '../../domain/payments/checkout-link/open-closed-link.ts';
import type { Service } from '../../domain/platform/service.ts';
import { DomainError } from '../../kit/errors.ts';
import { PageRefusal } from '../refused.ts';
import { type CheckoutQuery, chargeAddress } from './address.ts';
import { madeCharges } from './browser.ts';

export function isLinkClosed(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'link_closed';
}

/**
 * Where a link that takes no more payments leads: to the page of the payment that this browser made by it, whose last use
 * that may have been. Error: PageRefusal when it made none.
 */
export async function wayFromClosedLink(
  service: Service,
  request: FastifyRequest,
  query: CheckoutQuery,
): Promise<string> {
  const chargeIds = (mode: Mode) => madeCharges(service, request, mode);
  const { link, merchant, charge } = await openClosedLink(service, { id: query.link ?? '', chargeIds });
  if (charge) return chargeAddress(clientToken(service.secrets, charge), query);
  throw new PageRefusal('linkClosed', 410, { merchant, mode: link.mode, redirectUrl: link.redirectUrl });
}
