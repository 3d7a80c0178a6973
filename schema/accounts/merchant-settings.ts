import type { Merchant } from '../../prisma/client/client.ts';
import { updateMerchantSettings } from '../../src/domain/accounts/merchant/update-merchant-settings.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { acting } from '../kit/graphql-context.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { MerchantType } from './merchant.ts';

type Window = { method: MethodCode; minutes: number; isOwn: boolean };

const PaymentWindow = builder.objectRef<Window>('PaymentWindow').implement({
  description: 'How long a charge of a payment method waits for its money.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'The payment method.' }),
    minutes: t.exposeInt('minutes', { description: 'How long, unless the receiving account has its own.' }),
    isOwn: t.exposeBoolean('isOwn', {
      description: 'Whether you set it; else it is the method’s usual one.',
    }),
  }),
});

builder.prismaObjectFields('Merchant', (t) => ({
  postalAddress: t.exposeString('postalAddress', {
    ...merchantOnly,
    description: 'Your postal address as invoices show it, line by line; empty: none.',
  }),
  markup: t.field({
    ...merchantOnly,
    type: 'Decimal',
    description:
      'The share put on top of the service’s exchange rates, 0 to 0.1: in `forex` and in every charge that changes the currency.',
    resolve: ({ markup }) => markup.toFixed(),
  }),
  rateAgeDays: t.exposeInt('rateAgeDays', {
    ...merchantOnly,
    description: 'Exchange rates older than so many days, by their own date, are refused for live charges.',
  }),
  phoneCountries: t.field({
    ...merchantOnly,
    type: ['CountryCode'],
    description: 'Countries whose phones may be verified beside those of the payment methods.',
    resolve: ({ phoneCountries }) => phoneCountries,
  }),
  requireTwoFactor: t.exposeBoolean('requireTwoFactor', {
    ...merchantOnly,
    description:
      'Whether every user must have two-factor authentication. Users without it can sign in, but do nothing except enable it.',
  }),
  reauthenticationMinutes: t.exposeInt('reauthenticationMinutes', {
    ...merchantOnly,
    description: 'For how many minutes a re-authentication (`reauthenticate`) counts in its session.',
  }),
  paymentWindows: t.field({
    ...merchantOnly,
    type: [PaymentWindow],
    description: 'How long a charge waits for its money, of each payment method.',
    resolve: windowsOf,
  }),
  switchedOff: t.stringList({
    ...merchantOnly,
    description:
      'The operations that the operator of this installation switched off for you, by their names here; over REST they are off too.',
    resolve: ({ offOperations }) => offOperations,
  }),
}));

function windowsOf({ paymentWindows }: Merchant): Window[] {
  const own = paymentWindows as Partial<Record<MethodCode, number>>;
  return methodCodes.map((method) => ({
    method,
    minutes: own[method] ?? paymentMethods[method].windowMinutes,
    isOwn: own[method] !== undefined,
  }));
}

const PaymentWindowInput = builder.inputType('PaymentWindowInput', {
  description: 'How long a charge of a payment method waits for its money.',
  fields: (t) => ({
    method: t.field({ type: PaymentMethodCode, required: true, description: 'The payment method.' }),
    minutes: t.int({ required: true, description: 'How long: 5 minutes to 30 days.' }),
  }),
});

const UpdateMerchantSettingsInput = builder.inputType('UpdateMerchantSettingsInput', {
  description: 'What to change: what is left out stays as it is; a list takes the place of the whole list.',
  fields: (t) => ({
    timeZone: t.string({ description: 'Your IANA time zone, such as `Asia/Hong_Kong`.' }),
    postalAddress: t.string({
      description: 'Your postal address for invoices, at most 8 lines; empty takes it away.',
    }),
    secureMode: t.boolean({ description: 'Whether charges and checkout addresses need a hash.' }),
    underpaymentTolerance: t.field({
      type: 'Decimal',
      description: 'The share of a charge’s amount, 0 to 0.02, that may be missing when it completes.',
    }),
    markup: t.field({
      type: 'Decimal',
      description: 'The share put on top of the service’s exchange rates, 0 to 0.1.',
    }),
    rateAgeDays: t.int({ description: 'How old exchange rates of live charges may be: 1 to 31 days.' }),
    requireTwoFactor: t.boolean({
      description:
        'Whether every user must have two-factor authentication. Only for an owner who is signed in at the dashboard.',
    }),
    reauthenticationMinutes: t.int({
      description:
        'For how many minutes a re-authentication counts: 5 to 60. Only for an owner who is signed in at the dashboard.',
    }),
    redirectSchemes: t.stringList({
      description: 'The app schemes allowed in `redirectUrl` besides https, such as `myshop`; at most 20.',
    }),
    paymentWindows: t.field({
      type: [PaymentWindowInput],
      description: 'The payment windows you set; a method that is not listed keeps its usual one.',
    }),
    phoneCountries: t.field({
      type: ['CountryCode'],
      description: 'Countries whose phones may be verified beside those of the payment methods.',
    }),
  }),
});

const UpdateMerchantSettingsSuccess = builder
  .objectRef<{ merchant: Merchant }>('UpdateMerchantSettingsSuccess')
  .implement({
    description: 'The settings hold from now on, in both modes.',
    fields: (t) => ({ merchant: t.expose('merchant', { type: MerchantType, description: 'You.' }) }),
  });

builder.mutationField('updateMerchantSettings', (t) =>
  t.field({
    type: UpdateMerchantSettingsSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Changes your settings, which hold in both modes: by an owner at the dashboard, or by a live key. Permission: `manage`.',
    args: { input: t.arg({ type: UpdateMerchantSettingsInput, required: true, description: 'What.' }) },
    resolve: async (_root, { input }, context) => ({
      merchant: await updateMerchantSettings(context.service, { ...acting(context), input }),
    }),
  }),
);
