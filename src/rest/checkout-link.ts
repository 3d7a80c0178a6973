import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { getCheckoutLinkUrl } from '../domain/payments/checkout/checkout-url.ts';
import { createCheckoutLink } from '../domain/payments/checkout-link/create-checkout-link.ts';
import { handlePost } from './idempotency.ts';
import { customerInputSchema, getMerchantTime, orderInputSchema, toAuditContext } from './inputs.ts';
import { requireOwnPublishableKey } from './require-own-publishable-key.ts';
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

export function registerCheckoutLinkRoutes(app: ApiScope, { service, clock }: Context): void {
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
    const audit = toAuditContext(request, now);
    return handlePost(request, reply, {
      service,
      now,
      work: async (txService) => {
        await requireOwnPublishableKey(txService, caller, { ...input, apiKey }, now);
        return createCheckoutLink(txService, {
          merchant,
          mode,
          input,
          now: getMerchantTime(clock, caller),
          audit,
        });
      },
      toResponse: (link) => ({ status: 200, body: { checkoutLink: getCheckoutLinkUrl(service, link) } }),
    });
  });
}
