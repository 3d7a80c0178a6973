import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { createCheckoutLink } from '../domain/payments/checkout-link/create-checkout-link.ts';
import { getCheckoutLinkUrl } from '../domain/payments/customer-page/checkout-url.ts';
import { handlePost } from './idempotency.ts';
import { customerInputSchema, getMerchantTime, orderInputSchema, toAuditContext } from './inputs.ts';
import { metadataSchema } from './metadata.ts';
import { requireOwnPublishableKey } from './require-own-publishable-key.ts';
import type { TypedFastify } from './typed-fastify.ts';

const createBody = Type.Object(
  {
    amount: Type.Optional(
      Type.Number({
        description:
          'The amount to charge, in major units of `currency`. Required unless you set `customAmount`.',
      }),
    ),
    customAmount: Type.Optional(
      Type.Object(
        {
          min: Type.Optional(
            Type.Number({ description: 'The lowest amount that customers can choose, in major units.' }),
          ),
          max: Type.Optional(
            Type.Number({ description: 'The highest amount that customers can choose, in major units.' }),
          ),
        },
        {
          title: 'CustomAmount',
          description:
            'Lets the customer choose the amount on the payment page, between optional limits. Replaces `amount`.',
          additionalProperties: false,
        },
      ),
    ),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of the amount.' }),
    apiKey: Type.String({
      description:
        'Your publishable key (`pk_…`) of the same mode as the API key. The API key itself (`ck_…`, without its secret) is also accepted.',
    }),
    orders: Type.Optional(
      Type.Array(orderInputSchema, {
        description: 'The order lines that the customer pays for, at most 100.',
      }),
    ),
    paymentMethods: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          'The payment methods to offer, as a list of codes for each country code. An empty list offers all of your methods in that country. Countries that are not listed are not offered. If the field is omitted, all of your methods are offered.',
      }),
    ),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference for the charge, at most 4,096 characters. The notifications of the charge include it.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    redirectUrl: Type.Optional(
      Type.String({
        description:
          'The return URL, to which a button on the checkout page links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too.',
      }),
    ),
    customer: Type.Optional(customerInputSchema),
  },
  {
    title: 'CreateCheckoutLinkRequest',
    description: 'The terms of a new checkout link.',
    additionalProperties: false,
  },
);

export function registerCheckoutLinkRoutes(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Create a checkout link',
    description:
      'Creates a reusable payment page. The link does not expire, and customers can pay any number of times. Requires the permission `write`.',
    tags: ['Checkout link'],
    body: createBody,
    response: {
      200: Type.Object(
        {
          checkoutLink: Type.String({
            description: 'The URL of the payment page, to which you send customers.',
          }),
        },
        { title: 'CheckoutLink', description: 'A checkout link.' },
      ),
    },
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
