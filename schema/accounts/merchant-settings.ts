import type { Merchant } from '../../prisma/client/client.ts';
import { updateMerchantSettings } from '../../src/domain/accounts/merchant/update-merchant-settings.ts';
import { toLogo } from '../../src/kit/brand.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { toRequestContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { MerchantType } from './merchant.ts';

type MethodWindow = { method: MethodCode; minutes: number; isCustom: boolean };

const PaymentWindow = builder.objectRef<MethodWindow>('PaymentWindow').implement({
  description:
    'The payment window of a payment method, which is the time for which its charges stay open for payment.',
  fields: (t) => ({
    method: t.expose('method', {
      type: PaymentMethodCode,
      description: 'The payment method to which the payment window applies.',
    }),
    minutes: t.exposeInt('minutes', {
      description: 'The payment window in minutes. A receiving account can override it.',
    }),
    isCustom: t.exposeBoolean('isCustom', {
      description: 'Whether you set this payment window. If false, it is the default of the payment method.',
    }),
  }),
});

builder.prismaObjectFields('Merchant', (t) => ({
  postalAddress: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The postal address of the merchant, which invoices show, with line breaks. Null if it has not been set.',
    resolve: ({ postalAddress }) => postalAddress || null,
  }),
  taxNumber: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The tax registration number of the merchant, which invoices show. Null if it has not been set.',
    resolve: ({ taxNumber }) => taxNumber || null,
  }),
  displayName: t.string({
    ...merchantOnly,
    nullable: true,
    description: 'The name that customers see instead of `name`. Null if it has not been set.',
    resolve: ({ displayName }) => displayName || null,
  }),
  brandColor: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The color of buttons on customer pages and in emails, such as `#0e6b5c`. Null if it has not been set.',
    resolve: ({ brandColor }) => brandColor || null,
  }),
  logoUrl: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The URL of your logo, a PNG image on customer pages, in emails and in documents. Null if it has not been set.',
    resolve: ({ logo }, _args, { service }) => {
      const path = toLogo(logo)?.path;
      return path === undefined ? null : service.settings.publicUrl + path;
    },
  }),
  areReceiptsEmailed: t.exposeBoolean('emailReceipts', {
    ...merchantOnly,
    description: 'Whether customers with an email address get a receipt when their charge completes.',
  }),
  supportEmail: t.string({
    ...merchantOnly,
    nullable: true,
    description: 'The email address that customer pages show for questions. Null if it has not been set.',
    resolve: ({ supportEmail }) => supportEmail || null,
  }),
  websiteUrl: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The https URL to which customer pages link back if a payment has no return URL. Null if it has not been set.',
    resolve: ({ websiteUrl }) => websiteUrl || null,
  }),
  termsUrl: t.string({
    ...merchantOnly,
    nullable: true,
    description: 'The https URL of your terms, to which customer pages link. Null if it has not been set.',
    resolve: ({ termsUrl }) => termsUrl || null,
  }),
  privacyUrl: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The https URL of your privacy policy, to which customer pages link. Null if it has not been set.',
    resolve: ({ privacyUrl }) => privacyUrl || null,
  }),
  country: t.field({
    ...merchantOnly,
    type: 'CountryCode',
    nullable: true,
    description:
      'The country whose payment methods customers see first if their language names no country. Null if it has not been set.',
    resolve: ({ country }) => country || null,
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
      'The countries whose phone numbers can be verified, in addition to the countries of the payment methods.',
    resolve: ({ additionalPhoneCountries }) => additionalPhoneCountries,
  }),
  isTwoFactorRequired: t.exposeBoolean('isTwoFactorRequired', {
    ...merchantOnly,
    description:
      'Whether every user must enable two-factor authentication. Until users have done so, they can sign in only to enable it.',
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
      'The names of the operations of this schema that the operator of this installation has disabled for the merchant. They are disabled in REST as well.',
    resolve: ({ disabledOperations }) => disabledOperations,
  }),
}));

function toPaymentWindows({ paymentWindows }: Merchant): MethodWindow[] {
  const overrides = paymentWindows as Partial<Record<MethodCode, number>>;
  return methodCodes.map((method) => ({
    method,
    minutes: overrides[method] ?? paymentMethods[method].paymentWindowMinutes,
    isCustom: overrides[method] !== undefined,
  }));
}

const PaymentWindowInput = builder.inputType('PaymentWindowInput', {
  description:
    'The payment window of a payment method, which is the time for which its charges stay open for payment.',
  fields: (t) => ({
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method to which the payment window applies.',
    }),
    minutes: t.int({
      required: true,
      description: 'The payment window in minutes, 5 to 43,200 (30 days).',
    }),
  }),
});

const UpdateMerchantSettingsInput = builder.inputType('UpdateMerchantSettingsInput', {
  description:
    'The changes to your settings. Omitted fields remain unchanged. A list replaces the entire current list.',
  fields: (t) => ({
    name: t.string({
      description:
        'Your name, at most 140 characters. Customers see it unless you set `displayName`; users see it in the dashboard and in their email.',
    }),
    timeZone: t.string({ description: 'The IANA time zone of the merchant, such as `Asia/Hong_Kong`.' }),
    postalAddress: t.string({
      description: 'Your postal address for invoices, at most 8 lines. Null or an empty string removes it.',
    }),
    taxNumber: t.string({
      description:
        'Your tax registration number for invoices, such as a GST number, at most 60 characters. Null or an empty string removes it.',
    }),
    displayName: t.string({
      description:
        'The name that customers see instead of your name, at most 60 characters. Null or an empty string removes it.',
    }),
    brandColor: t.string({
      description:
        'The color of buttons on customer pages and in emails: six hexadecimal digits, such as `#0e6b5c`. Button text is white or black. Links use a darker or lighter shade where the color would be hard to read. Null or an empty string removes it.',
    }),
    logo: t.string({
      description:
        'Your logo: a PNG file in Base64 of at most 128 KiB, with 8 bits per channel, without interlacing, and 32 to 512 pixels wide and high. Transparent parts become white. Null removes it.',
    }),
    supportEmail: t.string({
      description:
        'The email address that customer pages show for questions. Null or an empty string removes it.',
    }),
    websiteUrl: t.string({
      description:
        'The https URL to which customer pages link back if a payment has no return URL. Null or an empty string removes it.',
    }),
    termsUrl: t.string({
      description:
        'The https URL of your terms, to which customer pages link. Null or an empty string removes it.',
    }),
    privacyUrl: t.string({
      description:
        'The https URL of your privacy policy, to which customer pages link. Null or an empty string removes it.',
    }),
    country: t.field({
      type: 'CountryCode',
      description:
        'The country whose payment methods customers see first if their language names no country. Null removes it.',
    }),
    areReceiptsEmailed: t.boolean({
      description:
        'Whether customers with an email address get a receipt when their charge completes. Off by default, because many shops send their own.',
    }),
    isSecureModeEnabled: t.boolean({
      description:
        'Whether secure mode is on, in which charges and checkout URLs require a hash (`createChargeHash`).',
    }),
    underpaymentTolerance: t.field({
      type: 'Decimal',
      description:
        'The underpayment that is tolerated, as a fraction of the amount from 0 to 0.02. A payment within this tolerance completes its charge.',
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
        'Whether every user must enable two-factor authentication. Changing it requires an owner who is signed in to the dashboard.',
    }),
    reauthenticationMinutes: t.int({
      description:
        'The number of minutes for which a re-authentication is valid, 1 to 60. Changing it requires an owner who is signed in to the dashboard.',
    }),
    redirectSchemes: t.stringList({
      description:
        'The URL schemes of apps that are allowed in `redirectUrl`, in addition to https, such as `myshop`. At most 20.',
    }),
    paymentWindows: t.field({
      type: [PaymentWindowInput],
      description:
        'The payment windows that you set. A payment method that is not listed has its default payment window.',
    }),
    additionalPhoneCountries: t.field({
      type: ['CountryCode'],
      description:
        'The countries whose phone numbers can be verified, in addition to the countries of the payment methods.',
    }),
  }),
});

const UpdateMerchantSettingsSuccess = successType('UpdateMerchantSettingsSuccess', {
  description: 'The result of updating your settings. The changes apply immediately, in both modes.',
  fields: { merchant: { type: MerchantType, description: 'Your merchant account with the new settings.' } },
});

builder.mutationField('updateMerchantSettings', (t) =>
  t.field({
    type: UpdateMerchantSettingsSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { permission: 'manage' },
    description:
      'Updates your settings, which apply to both modes. Requires an owner who is signed in to the dashboard, or a live API key with the permission `manage`.',
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
