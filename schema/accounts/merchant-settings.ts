import type { Merchant } from '../../prisma/client/client.ts';
import { updateMerchantSettings } from '../../src/domain/accounts/merchant/update-merchant-settings.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { toRequestContext } from '../kit/graphql-context.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { MerchantType } from './merchant.ts';

type MethodWindow = { method: MethodCode; minutes: number; isOwn: boolean };

const PaymentWindow = builder.objectRef<MethodWindow>('PaymentWindow').implement({
  description: 'The payment window of a payment method: how long its charges stay open for payment.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'The payment method.' }),
    minutes: t.exposeInt('minutes', {
      description: 'The payment window in minutes. A receiving account can override it.',
    }),
    isCustom: t.exposeBoolean('isOwn', {
      description: 'Whether you set this payment window; otherwise, it is the default of the payment method.',
    }),
  }),
});

builder.prismaObjectFields('Merchant', (t) => ({
  postalAddress: t.exposeString('postalAddress', {
    ...merchantOnly,
    description: 'Your postal address as shown on invoices, with line breaks. Empty if you have not set one.',
  }),
  exchangeRateMarkup: t.field({
    ...merchantOnly,
    type: 'Decimal',
    description:
      'The markup on the exchange rates of the service, as a fraction from 0 to 0.1. It applies to `forex` and to every charge that converts currencies.',
    resolve: ({ markup }) => markup.toFixed(),
  }),
  maxRateAgeDays: t.exposeInt('maxRateAgeDays', {
    ...merchantOnly,
    description:
      'The maximum age of exchange rates for live charges, in days. Rates with an older date are rejected.',
  }),
  additionalPhoneCountries: t.field({
    ...merchantOnly,
    type: ['CountryCode'],
    description:
      'The countries whose phone numbers can be verified, in addition to those of the payment methods.',
    resolve: ({ phoneCountries }) => phoneCountries,
  }),
  isTwoFactorRequired: t.exposeBoolean('requireTwoFactor', {
    ...merchantOnly,
    description:
      'Whether every user must have two-factor authentication. Users without it can sign in, but can only enable it.',
  }),
  reauthenticationMinutes: t.exposeInt('reauthenticationMinutes', {
    ...merchantOnly,
    description:
      'The number of minutes for which a re-authentication (`reauthenticate`) is valid in its session.',
  }),
  paymentWindows: t.field({
    ...merchantOnly,
    type: [PaymentWindow],
    description: 'The payment window of each payment method.',
    resolve: toPaymentWindows,
  }),
  disabledOperations: t.stringList({
    ...merchantOnly,
    description:
      'The names of the operations in this schema that the operator of this installation has disabled for you. They are disabled in REST as well.',
    resolve: ({ disabledOperations }) => disabledOperations,
  }),
}));

function toPaymentWindows({ paymentWindows }: Merchant): MethodWindow[] {
  const overrides = paymentWindows as Partial<Record<MethodCode, number>>;
  return methodCodes.map((method) => ({
    method,
    minutes: overrides[method] ?? paymentMethods[method].windowMinutes,
    isOwn: overrides[method] !== undefined,
  }));
}

const PaymentWindowInput = builder.inputType('PaymentWindowInput', {
  description: 'The payment window of a payment method: how long its charges stay open for payment.',
  fields: (t) => ({
    method: t.field({ type: PaymentMethodCode, required: true, description: 'The payment method.' }),
    minutes: t.int({
      required: true,
      description: 'The payment window in minutes, from 5 minutes to 30 days.',
    }),
  }),
});

const UpdateMerchantSettingsInput = builder.inputType('UpdateMerchantSettingsInput', {
  description:
    'The changes to your settings. Omitted fields remain unchanged; a list replaces the entire current list.',
  fields: (t) => ({
    timeZone: t.string({ description: 'Your IANA time zone, such as `Asia/Hong_Kong`.' }),
    postalAddress: t.string({
      description: 'Your postal address for invoices, at most 8 lines. An empty string removes it.',
    }),
    isSecureModeEnabled: t.boolean({ description: 'Whether charges and checkout URLs require a hash.' }),
    underpaymentTolerance: t.field({
      type: 'Decimal',
      description:
        'The fraction of the amount, from 0 to 0.02, by which a payment may fall short and still complete its charge.',
    }),
    exchangeRateMarkup: t.field({
      type: 'Decimal',
      description: 'The markup on the exchange rates of the service, as a fraction from 0 to 0.1.',
    }),
    maxRateAgeDays: t.int({
      description: 'The maximum age of exchange rates for live charges, 1 to 31 days.',
    }),
    isTwoFactorRequired: t.boolean({
      description:
        'Whether every user must have two-factor authentication. Requires an owner who is signed in to the dashboard.',
    }),
    reauthenticationMinutes: t.int({
      description:
        'The number of minutes for which a re-authentication is valid, 5 to 60. Requires an owner who is signed in to the dashboard.',
    }),
    redirectSchemes: t.stringList({
      description:
        'The app schemes allowed in `redirectUrl` in addition to https, such as `myshop`. At most 20.',
    }),
    paymentWindows: t.field({
      type: [PaymentWindowInput],
      description: 'The payment windows that you set. A payment method that is not listed has its default.',
    }),
    additionalPhoneCountries: t.field({
      type: ['CountryCode'],
      description:
        'The countries whose phone numbers can be verified, in addition to those of the payment methods.',
    }),
  }),
});

const UpdateMerchantSettingsSuccess = builder
  .objectRef<{ merchant: Merchant }>('UpdateMerchantSettingsSuccess')
  .implement({
    description: 'The settings were updated in both modes and apply immediately.',
    fields: (t) => ({
      merchant: t.expose('merchant', { type: MerchantType, description: 'Your merchant account.' }),
    }),
  });

builder.mutationField('updateMerchantSettings', (t) =>
  t.field({
    type: UpdateMerchantSettingsSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Updates your settings, which apply to both modes. Requires an owner signed in to the dashboard, or a live key. Permission: `manage`.',
    args: {
      input: t.arg({
        type: UpdateMerchantSettingsInput,
        required: true,
        description: 'The changes to your settings.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      merchant: await updateMerchantSettings(context.service, { ...toRequestContext(context), input }),
    }),
  }),
);
