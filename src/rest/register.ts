import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { checkIdempotencyKeys } from '../http/idempotency-key.ts';
import { rejectUnstorableText } from '../http/reject-unstorable-text.ts';
import { handleApiVersion } from '../http/version.ts';
import { acceptJsonOnly } from './accept-json-only.ts';
import { authenticateRequests } from './authenticate.ts';
import { registerChargeRoutes } from './charges.ts';
import { registerCheckoutLinkRoutes } from './checkout-link.ts';
import { setDeprecationHeaders } from './deprecations.ts';
import { registerFeedRoutes } from './feeds.ts';
import { registerFileRoutes } from './files.ts';
import { serveGuideIndex } from './guide-index.ts';
import { registerHelperRoutes } from './helpers.ts';
import { registerOpenApi, serveApiReference } from './openapi.ts';
import { registerPhoneVerificationRoutes } from './phone-verification.ts';
import { registerRefundRoutes } from './refunds.ts';
import { rejectUnknownInput } from './reject-unknown-input.ts';
import { registerSessionRoutes } from './sessions.ts';
import { registerSubscriptionPlanRoutes } from './subscription-plans.ts';
import { registerSubscriptionRoutes } from './subscriptions.ts';
import { registerTransferRoutes } from './transfers.ts';
import { registerTranslationRoutes } from './translations.ts';
import type { TypedFastify } from './typed-fastify.ts';

/** Registers the documented REST interface and its reference. */
export async function registerRest(app: FastifyInstance, context: Context): Promise<void> {
  await registerOpenApi(app, context);
  await app.register(async (scope) => {
    handleApiVersion(scope);
    setDeprecationHeaders(scope);
    authenticateRequests(scope, context);
    acceptJsonOnly(scope);
    rejectUnstorableText(scope);
    rejectUnknownInput(scope);
    checkIdempotencyKeys(scope);
    const api: TypedFastify = scope.withTypeProvider<TypeBoxTypeProvider>();
    registerChargeRoutes(api, context);
    registerSessionRoutes(api, context);
    registerRefundRoutes(api, context);
    registerCheckoutLinkRoutes(api, context);
    registerSubscriptionRoutes(api, context);
    registerSubscriptionPlanRoutes(api, context);
    registerTransferRoutes(api, context);
    registerPhoneVerificationRoutes(api, context);
    registerHelperRoutes(api, context);
    registerTranslationRoutes(api);
  });
  await app.register(async (scope) => registerFileRoutes(scope, context));
  await app.register(async (scope) => registerFeedRoutes(scope, context));
  await serveApiReference(app, context.service.settings.publicUrl);
  serveGuideIndex(app, context.service.settings.publicUrl);
}
