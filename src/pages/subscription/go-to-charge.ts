import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { clientToken } from '../../domain/payments/checkout/page-tokens.ts';
import { chargeAddress } from '../checkout/address.ts';
import { rememberMaker } from '../checkout/browser.ts';

/** Sends the customer on to the page of their charge, which shows this browser its details. */
export function goToCharge(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  charge: Charge,
): FastifyReply {
  const { secrets } = context.service;
  rememberMaker(context.service, reply, charge);
  const { lang } = request.query as { lang?: string };
  const query = { ...(charge.mode === 'sandbox' && { isSandbox: 'true' }), ...(lang && { lang }) };
  return reply.redirect(chargeAddress(clientToken(secrets, charge), query), 303);
}
