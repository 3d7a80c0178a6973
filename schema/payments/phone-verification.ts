import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { verifyPhone } from '../../src/domain/payments/phone-verification/verify-phone.ts';
import { builder } from '../kit/builder.ts';
import { merchantCaller, owned } from '../kit/graphql-context.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { PhoneInput } from './customer.ts';

const RequestPhoneVerificationInput = builder.inputType('RequestPhoneVerificationInput', {
  description: 'Which phone to send a code to.',
  fields: (t) => ({
    phone: t.field({ type: PhoneInput, required: true, description: 'The customer’s phone.' }),
    locale: t.field({
      type: LocaleEnum,
      description: 'The language of the SMS; left out: that of the number’s country, else English.',
    }),
  }),
});

const RequestPhoneVerificationSuccess = builder
  .objectRef<{ isSuccess: true }>('RequestPhoneVerificationSuccess')
  .implement({
    description: 'The code is on its way.',
    fields: (t) => ({ isSuccess: t.exposeBoolean('isSuccess', { description: 'True.' }) }),
  });

builder.mutationField('requestPhoneVerification', (t) =>
  t.field({
    type: RequestPhoneVerificationSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Sends a code of 6 digits to a customer’s phone by SMS; with sandbox credentials into the dev mailbox. It is valid for 5 minutes, and a new one ends the one before. Restricted with live credentials. Permission: `write`.',
    args: {
      input: t.arg({ type: RequestPhoneVerificationInput, required: true, description: 'Which phone.' }),
    },
    resolve: (_root, { input }, context) => {
      const { merchant, mode } = merchantCaller(context);
      return requestPhoneVerification(context.service, { merchant, mode, input, now: context.clock.now() });
    },
  }),
);

const VerifyPhoneInput = builder.inputType('VerifyPhoneInput', {
  description: 'Which code was entered for which phone.',
  fields: (t) => ({
    phone: t.field({ type: PhoneInput, required: true, description: 'The customer’s phone.' }),
    code: t.string({ required: true, description: 'The code that the customer entered.' }),
  }),
});

const VerifyPhoneSuccess = builder.objectRef<{ verificationCode: string }>('VerifyPhoneSuccess').implement({
  description: 'The code was right.',
  fields: (t) => ({
    verificationCode: t.exposeString('verificationCode', {
      description: 'For `createCharge`, once, within 5 minutes.',
    }),
  }),
});

builder.mutationField('verifyPhone', (t) =>
  t.field({
    type: VerifyPhoneSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Exchanges the code for a `verificationCode`. A code can be tried 5 times and used once. Restricted with live credentials. Permission: `write`.',
    args: { input: t.arg({ type: VerifyPhoneInput, required: true, description: 'What was entered.' }) },
    resolve: (_root, { input }, context) =>
      verifyPhone(context.service, { ...owned(context), input, now: context.clock.now() }),
  }),
);
