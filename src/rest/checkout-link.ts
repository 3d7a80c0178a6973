import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { findPublishableKey } from '../domain/api-key/find-publishable-key.ts';
import { type Caller, requirePermission } from '../domain/api-key/permissions.ts';
import { checkoutLinkUrl } from '../domain/checkout/checkout-url.ts';
import { createCheckoutLink } from '../domain/checkout-link/create-checkout-link.ts';
import { DomainError, invalidInput } from '../kit/errors.ts';
import { answerPost } from './idempotency.ts';
import { customerInputSchema, orderInputSchema } from './inputs.ts';
import type { ApiScope } from './scope.ts';

const createBody = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    apiKey: Type.String({ description: 'A publishable key of the merchant, pk_…' }),
    orders: Type.Optional(Type.Array(orderInputSchema)),
    paymentMethods: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    notifyPayload: Type.Optional(Type.String()),
    redirectUrl: Type.Optional(Type.String()),
    customer: Type.Optional(customerInputSchema),
  },
  { additionalProperties: false },
);

/** Checkout links, to which a merchant directs customers. */
export function checkoutLinkRoutes(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Create a checkout link',
    tags: ['Checkout link'],
    body: createBody,
    response: { 200: Type.Object({ checkoutLink: Type.String() }) },
  };
  app.post('/checkout-link', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const now = clock.now();
    const { apiKey, ...input } = request.body;
    await requireOwnKey(service, caller, apiKey, now);
    const { merchant, mode } = caller;
    return answerPost(request, reply, {
      service,
      now,
      work: (once) => createCheckoutLink(once, { merchant, mode, input, now }),
      toAnswer: (link) => ({ status: 200, body: { checkoutLink: checkoutLinkUrl(service, link) } }),
    });
  });
}

/** The publishable key must be the caller's own, of the same mode. */
async function requireOwnKey(
  service: Context['service'],
  caller: Caller,
  apiKey: string,
  now: Date,
): Promise<void> {
  const message = 'must be a publishable key (pk_…) of your own, of the same mode as the API key';
  const key = await findPublishableKey(service, apiKey, now).catch((error: unknown) => {
    throw error instanceof DomainError ? invalidInput('/apiKey', message) : error;
  });
  if (key.merchantId !== caller.merchant.id || key.mode !== caller.mode)
    throw invalidInput('/apiKey', message);
}
