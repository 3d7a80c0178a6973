import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { checkIdempotencyKeys } from '../http/idempotency-key.ts';
import { refuseUnstorableText } from '../http/unstorable-text.ts';
import { answerVersion } from '../http/version.ts';
import { authenticateRequests } from './authenticate.ts';
import { chargeRoutes } from './charges.ts';
import { checkoutLinkRoutes } from './checkout-link.ts';
import { announceDeprecations } from './deprecations.ts';
import { fileRoutes } from './files.ts';
import { helperRoutes } from './helpers.ts';
import { describeApi, serveApiReference } from './openapi.ts';
import { phoneVerificationRoutes } from './phone-verification.ts';
import { readJsonOnly } from './read-json.ts';
import { refundRoutes } from './refunds.ts';
import type { ApiScope } from './scope.ts';
import { sessionRoutes } from './sessions.ts';
import { refuseUnknownInput } from './strict-input.ts';
import { subscriptionPlanRoutes } from './subscription-plans.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { transferRoutes } from './transfers.ts';
import { translationRoutes } from './translations.ts';

/** Mounts the documented REST interface at the origin, and its reference. */
export async function registerRest(app: FastifyInstance, context: Context): Promise<void> {
  await describeApi(app, context);
  await app.register(async (scope) => {
    answerVersion(scope);
    announceDeprecations(scope);
    authenticateRequests(scope, context);
    readJsonOnly(scope);
    refuseUnstorableText(scope);
    refuseUnknownInput(scope);
    checkIdempotencyKeys(scope);
    const api: ApiScope = scope.withTypeProvider<TypeBoxTypeProvider>();
    chargeRoutes(api, context);
    sessionRoutes(api, context);
    refundRoutes(api, context);
    checkoutLinkRoutes(api, context);
    subscriptionRoutes(api, context);
    subscriptionPlanRoutes(api, context);
    transferRoutes(api, context);
    phoneVerificationRoutes(api, context);
    helperRoutes(api, context);
    translationRoutes(api);
  });
  await app.register(async (scope) => fileRoutes(scope, context));
  await serveApiReference(app, context.service.settings.publicUrl);
}
