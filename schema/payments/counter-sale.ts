import { hasPaymentReports } from '../../src/domain/money-in/feed/has-payment-reports.ts';
import { type CounterSale, getCounterSaleStatus } from '../../src/domain/payments/counter/counter-sale.ts';
import { getSessionUrl } from '../../src/domain/payments/customer-page/checkout-url.ts';
import type { OrderLine } from '../../src/domain/platform/order-line.ts';
import type { Db } from '../../src/kit/db.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { hasQrCode } from '../../src/method/customer-apps.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantTime } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';
import { OutstandingPaymentType, toOutstandingPayment } from './outstanding-payment.ts';
import { PaymentMethodCode } from './payment-method.ts';
import { findOffers, SessionOfferType } from './session-offer.ts';

const CounterSaleStatus = builder.enumType('CounterSaleStatus', {
  description: 'The progress of a sale at the counter.',
  values: {
    open: { description: 'No payment method has been chosen yet.' },
    paying: { description: 'A payment method has been chosen, and the payment has not arrived yet.' },
    paid: { description: 'The payment has arrived.' },
    cancelled: { description: 'The sale was cancelled before it was paid.' },
    expired: { description: 'The customer did not pay in time.' },
  },
});

export const CounterSaleType = builder.objectRef<CounterSale>('CounterSale').implement({
  description:
    'A sale at the counter. The customer scans the code of the `payment`, or pays on the page of the `checkoutUrl`.',
  fields: (t) => ({
    sessionId: t.exposeID('id', { description: 'The ID of the session, `ses_…`.' }),
    status: t.field({
      type: CounterSaleStatus,
      description: 'The progress of the sale.',
      resolve: (sale, _args, context) => getCounterSaleStatus(sale, getMerchantTime(context)),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the sale, in `currency`.',
      resolve: ({ amount, currency }) => toDecimalScalar(amount, currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of `amount`.' }),
    itemName: t.string({
      nullable: true,
      description: 'The name of the sold item. Null if the amount was entered.',
      resolve: ({ orders }) => (orders as OrderLine[])[0]?.name ?? null,
    }),
    checkoutUrl: t.string({
      description: 'The URL of the payment page, which you show as a QR code.',
      resolve: (sale, _args, { service }) => getSessionUrl(service, sale),
    }),
    offers: t.field({
      type: [SessionOfferType],
      description:
        'The payment methods whose apps scan a QR code, if they accept the amount now. The payment page may offer others. Empty if the sale has ended.',
      resolve: async (sale, _args, context) => {
        const status = getCounterSaleStatus(sale, getMerchantTime(context));
        if (status !== 'open' && status !== 'paying') return [];
        return (await findOffers(sale, context)).filter(({ method }) => hasQrCode(method));
      },
    }),
    method: t.field({
      type: PaymentMethodCode,
      nullable: true,
      description: 'The payment method of the sale. Null until one is chosen.',
      resolve: ({ charge }) => charge && (charge.method as MethodCode),
    }),
    methodName: t.string({
      nullable: true,
      description: 'The English name by which customers know the payment method. Null until one is chosen.',
      resolve: ({ charge }) => charge && paymentMethods[charge.method as MethodCode].name,
    }),
    payment: t.field({
      type: OutstandingPaymentType,
      nullable: true,
      description:
        'The payment that completes the sale, with the QR code for the customer’s payment app. Null if no method is chosen yet, or the sale has ended.',
      resolve: async (sale, _args, context) => {
        if (!sale.charge || getCounterSaleStatus(sale, getMerchantTime(context)) !== 'paying') return null;
        return toOutstandingPayment(await getSaleCharge(context.service, sale.charge));
      },
    }),
    hasPaymentReports: t.boolean({
      nullable: true,
      description:
        'Whether a bank feed or your own system reports payments to the account of the sale. If not, the sale is paid when you import a statement with the payment, or record the transfer. Null until a method is chosen.',
      resolve: ({ charge }, _args, { service }) =>
        charge && hasPaymentReports(service, charge.receivingAccountId),
    }),
    receivingAccountId: t.id({
      nullable: true,
      description:
        'The ID of the receiving account, `acc_…`, to which the customer pays. Null until a method is chosen.',
      resolve: ({ charge }) => charge?.receivingAccountId ?? null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time of the sale.' }),
    paidAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the payment arrived. Null if it has not arrived.',
      resolve: ({ charge }) => charge?.completedAt ?? null,
    }),
  }),
});

/** Returns the charge with its receiving account, which the payment instructions need. */
function getSaleCharge({ prisma }: Pick<Db, 'prisma'>, { id }: { id: string }) {
  return prisma.charge.findUniqueOrThrow({ where: { id }, include: { receivingAccount: true } });
}
