import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { checkoutLinkUrl } from '../domain/payments/checkout/checkout-url.ts';
import { createCheckoutLink } from '../domain/payments/checkout-link/create-checkout-link.ts';
import { answerPost } from './idempotency.ts';
import { auditContext, customerInputSchema, orderInputSchema, ownNow } from './inputs.ts';
import { requireOwnKey } from './own-key.ts';
import type { ApiScope } from './scope.ts';

const createBody = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    apiKey: Type.String({
      description: 'Your publishable key (`pk_…`) of the same mode as the API key.',
    }),
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
    const { merchant, mode } = caller;
    const audit = auditContext(request, now);
    return answerPost(request, reply, {
      service,
      now,
      work: async (once) => {
        await requireOwnKey(once, caller, { ...input, apiKey }, now);
        return createCheckoutLink(once, { merchant, mode, input, now: ownNow(clock, caller), audit });
      },
      toAnswer: (link) => ({ status: 200, body: { checkoutLink: checkoutLinkUrl(service, link) } }),
    });
  });
}
