import type { Charge, ReceivingAccount } from '../../prisma/client/client.ts';
import {
  getOutstandingPayment,
  type OutstandingPayment,
} from '../../src/domain/payments/checkout/get-outstanding-payment.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { type AppLink, getAppLinks } from '../../src/method/customer-apps.ts';
import { builder } from '../kit/builder.ts';
import { toDecimalScalar } from '../scalars.ts';
import { DestinationType } from './destination.ts';

const ReferencePlacement = builder.enumType('ReferencePlacement', {
  description: 'The way in which the payment is recognized as the payment of the charge.',
  values: {
    in_code: { description: 'The QR code contains the payment reference.' },
    written: { description: 'The customer enters the payment reference.' },
    uncertain: {
      description:
        'The payment is recognized by its exact amount, because not every app has a field for the payment reference.',
    },
    by_merchant: {
      description: 'You confirm the payment, because not every app has a field for the payment reference.',
    },
  } as const,
});

const AppLinkType = builder.objectRef<AppLink>('AppLink').implement({
  description: 'A link that opens a payment app with the payment.',
  fields: (t) => ({
    name: t.string({
      nullable: true,
      description:
        'The name of the app. Null for a general link, which any installed app of the payment scheme can open.',
      resolve: ({ name }) => name,
    }),
    url: t.exposeString('url', {
      description: 'The URL, which works only on a phone on which the app is installed.',
    }),
  }),
});

type PayableNow = OutstandingPayment & { method: MethodCode; isDemo: boolean };

export const OutstandingPaymentType = builder.objectRef<PayableNow>('OutstandingPayment').implement({
  description:
    'The payment that completes the charge. After a part payment, it differs from the amount and the destination of the charge.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The remaining amount, in `currency`.',
      resolve: ({ money }) => toDecimalScalar(money.minor, money.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency in which the customer pays.',
      resolve: ({ money }) => money.currency,
    }),
    destination: t.expose('destination', {
      type: DestinationType,
      description: 'The payment instructions for the remaining amount.',
    }),
    referencePlacement: t.expose('referencePlacement', {
      type: ReferencePlacement,
      description: 'The way in which the payment is recognized.',
    }),
    appLinks: t.field({
      type: [AppLinkType],
      description: 'The links to payment apps, for customers on a phone.',
      resolve: ({ method, destination }) => getAppLinks(method, destination.deepLink),
    }),
    isDemo: t.exposeBoolean('isDemo', {
      description: 'Whether the receiving account is fictional and cannot receive payments.',
    }),
  }),
});

/** Returns the remaining payment, or null if the charge has ended. */
export function toOutstandingPayment(
  charge: Charge & { receivingAccount: ReceivingAccount },
): PayableNow | null {
  if (charge.status !== 'pending') return null;
  const { demo: isDemo } = charge.receivingAccount;
  return { ...getOutstandingPayment(charge), method: charge.method as MethodCode, isDemo };
}
