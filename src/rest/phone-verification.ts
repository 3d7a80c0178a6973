import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { requestPhoneVerification } from '../domain/payments/phone-verification/request-phone-verification.ts';
import { verifyPhone } from '../domain/payments/phone-verification/verify-phone.ts';
import { languageCodes } from '../language/languages.ts';
import { handlePost } from './idempotency.ts';
import { enumSchema, getMerchantScope, phoneSchema } from './inputs.ts';
import type { TypedFastify } from './typed-fastify.ts';

const sendBody = Type.Object(
  {
    phone: phoneSchema,
    locale: Type.Optional(
      enumSchema(
        languageCodes,
        'The language of the SMS. If omitted, it is the language of the phone number’s country or, if that language is not supported, English.',
      ),
    ),
  },
  {
    title: 'PhoneVerificationRequest',
    description: 'The phone number to verify.',
    additionalProperties: false,
  },
);

const verifyBody = Type.Object(
  {
    phone: phoneSchema,
    code: Type.String({
      description: 'The one-time password that the customer entered.',
      examples: ['012345'],
    }),
  },
  {
    title: 'VerifyPhoneRequest',
    description: 'The one-time password that the customer entered.',
    additionalProperties: false,
  },
);

const verifiedPhoneSchema = Type.Object(
  {
    verificationCode: Type.String({
      description: 'The code to pass to `POST /charges`. It can be used for one charge within 5 minutes.',
    }),
  },
  { title: 'VerifiedPhone', description: 'A phone number that the customer verified.' },
);

const phoneVerificationSchema = Type.Object(
  {
    isSuccess: Type.Boolean({
      description:
        'Whether the code was created. The value is always true, because problems are returned as errors.',
    }),
  },
  { title: 'PhoneVerification', description: 'A verification that was started.' },
);

export function registerPhoneVerificationRoutes(app: TypedFastify, { service, clock }: Context): void {
  const sendSchema = {
    summary: 'Send a one-time password to a customer’s phone (requires restricted access)',
    description:
      'Sends a 6-digit one-time password to a customer’s phone by SMS. In the sandbox, the SMS is captured and not sent. The password is valid for 5 minutes, and a new password invalidates the previous one. You can send at most 5 SMS per hour to one phone number, and 100 per hour in total. Requires the permission `write`.',
    tags: ['Customers'],
    body: sendBody,
    response: {
      200: phoneVerificationSchema,
    },
  };
  app.post('/customers/phone/verification', { schema: sendSchema }, async (request, reply) => {
    const { caller, body: input } = request;
    requirePermission(caller, 'write');
    const { merchant, mode } = caller;
    const now = clock.now();
    return handlePost(request, reply, {
      service,
      now,
      work: (txService) => requestPhoneVerification(txService, { merchant, mode, input, now }),
      toResponse: (body) => ({ status: 200, body }),
    });
  });

  const verifySchema = {
    summary: 'Exchange a one-time password for a verificationCode (requires restricted access)',
    description:
      'Returns a `verificationCode`, which you pass to `POST /charges` for one charge within 5 minutes. The one-time password can be used once, and at most 5 attempts to enter it are accepted. Requires the permission `write`.',
    tags: ['Customers'],
    body: verifyBody,
    response: {
      200: verifiedPhoneSchema,
    },
  };
  app.post('/customers/phone/verify', { schema: verifySchema }, async (request, reply) => {
    const { caller, body: input } = request;
    requirePermission(caller, 'write');
    const now = clock.now();
    return handlePost(request, reply, {
      service,
      now,
      work: (txService) => verifyPhone(txService, { ...getMerchantScope(caller), input, now }),
      toResponse: (body) => ({ status: 200, body }),
    });
  });
}
