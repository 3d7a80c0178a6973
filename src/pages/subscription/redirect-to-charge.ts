import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { createClientToken } from '../../domain/payments/customer-page/page-tokens.ts';
import { rememberCreator } from '../checkout/browser.ts';
import { toChargeUrl } from '../checkout/checkout-url.ts';

/** Redirects to the charge's page and allows this browser to view the charge's customer details. */
export function redirectToCharge(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  charge: Charge,
): FastifyReply {
  const { secrets } = context.service;
  rememberCreator(context.service, reply, charge);
  const { lang } = request.query as { lang?: string };
  const query = { ...(charge.mode === 'sandbox' && { isSandbox: 'true' }), ...(lang && { lang }) };
  return reply.redirect(toChargeUrl(createClientToken(secrets, charge), query), 303);
}
