import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { verifyPhone } from '../../src/domain/payments/phone-verification/verify-phone.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { PhoneInput } from './customer.ts';

const RequestPhoneVerificationInput = builder.inputType('RequestPhoneVerificationInput', {
  description: 'The phone number to verify.',
  fields: (t) => ({
    phone: t.field({ type: PhoneInput, required: true, description: 'The customer’s phone number.' }),
    locale: t.field({
      type: LocaleEnum,
      description:
        'The language of the SMS. If omitted, it is the language of the phone number’s country or, if that language is not supported, English.',
    }),
  }),
});

const RequestPhoneVerificationSuccess = successType('RequestPhoneVerificationSuccess', {
  description: 'The result of requesting a code. The SMS is sent in the background.',
  fields: {
    isSuccess: {
      type: 'Boolean',
      description:
        'Whether the code was created. The value is always true, because problems are returned as errors.',
    },
  },
});

builder.mutationField('requestPhoneVerification', (t) =>
  t.field({
    type: RequestPhoneVerificationSuccess,
    errors: {},
    twoFactor: 'never',
    isRestricted: true,
    authScopes: { permission: 'write' },
    description:
      'Sends a 6-digit code to a customer’s phone by SMS. In the sandbox, the SMS is captured and not sent (`outboundMessages`). The code is valid for 5 minutes, and a new code invalidates the previous one. You can send at most 5 SMS per hour to one phone number, and 100 per hour in total; after that, the mutation fails with `rate_limited`. In live mode, it requires restricted access (`Merchant.restrictedAccess`). Requires the permission `write`.',
    args: {
      input: t.arg({
        type: RequestPhoneVerificationInput,
        required: true,
        description: 'The phone number to verify.',
      }),
    },
    resolve: (_root, { input }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      return requestPhoneVerification(context.service, { merchant, mode, input, now: context.clock.now() });
    },
  }),
);

const VerifyPhoneInput = builder.inputType('VerifyPhoneInput', {
  description: 'The phone number and the code that the customer entered.',
  fields: (t) => ({
    phone: t.field({ type: PhoneInput, required: true, description: 'The customer’s phone number.' }),
    code: t.string({ required: true, description: 'The 6-digit code that the customer entered.' }),
  }),
});

const VerifyPhoneSuccess = successType('VerifyPhoneSuccess', {
  description: 'The result of verifying a phone number.',
  fields: {
    verificationCode: {
      type: 'String',
      description: 'The code to pass to `createCharge`. It can be used for one charge within 5 minutes.',
    },
  },
});

builder.mutationField('verifyPhone', (t) =>
  t.field({
    type: VerifyPhoneSuccess,
    errors: {},
    twoFactor: 'never',
    isRestricted: true,
    authScopes: { permission: 'write' },
    description:
      'Exchanges the code that the customer received for a `verificationCode`. The code can be used once, and at most 5 attempts to enter it are accepted. The mutation fails with `verification_code_invalid` if the code is wrong, already used or expired, or was entered too often. In live mode, it requires restricted access (`Merchant.restrictedAccess`). Requires the permission `write`.',
    args: {
      input: t.arg({
        type: VerifyPhoneInput,
        required: true,
        description: 'The phone number and the code that the customer entered.',
      }),
    },
    resolve: (_root, { input }, context) =>
      verifyPhone(context.service, { ...getMerchantScope(context), input, now: context.clock.now() }),
  }),
);
