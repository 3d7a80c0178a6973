import {
  ConfigService,
  type CreatePaymentResult,
  type Injector,
  LanguageCode,
  type Order,
  type Payment,
  type PaymentMetadata,
  PaymentMethodHandler,
} from '@vendure/core';
import type { CreateSessionRequest } from 'causeway-client';
import { getConnection } from './options.ts';
import { closeSession, hasReceivedMoney, readSession } from './payment-state.ts';
import { toRefundAmount } from './refund-amount.ts';

export const handlerCode = 'causeway';

/** The prefix of the order code in `notifyPayload`; notifications without it belong to other systems. */
export const orderPrefix = 'vendure:';

let unitsPerMajor = 100;

/** Accepts bank and wallet transfers. The order is placed before the money arrives. */
export const causewayPaymentHandler = new PaymentMethodHandler({
  code: handlerCode,
  description: [{ languageCode: LanguageCode.en, value: 'Bank and wallet transfers with Causeway' }],
  args: {},

  init(injector: Injector) {
    // Vendure stores every currency with the same number of decimals.
    const { precision = 2 } = injector.get(ConfigService).entityOptions.moneyStrategy;
    unitsPerMajor = 10 ** precision;
  },

  /** `Authorized` lets Vendure place the order before the money arrives; the payment is settled afterwards. */
  async createPayment(_ctx, order, amount, _args, metadata): Promise<CreatePaymentResult> {
    const { causeway } = getConnection();
    try {
      const session = await causeway.sessions.create(toSessionRequest(order, amount, metadata));
      const { id, checkoutUrl, clientToken } = session;
      return {
        amount,
        state: 'Authorized',
        transactionId: id,
        metadata: { public: { sessionId: id, checkoutUrl, clientToken } },
      };
    } catch (error) {
      return { amount, state: 'Declined', errorMessage: (error as Error).message, metadata: {} };
    }
  },

  /** Fails until the money has arrived in full, and the payment then stays authorized. */
  async settlePayment(_ctx, _order, payment) {
    const state = await readSession(getConnection().causeway, payment.transactionId);
    if (state?.outcome === 'paid') return { success: true, metadata: { chargeId: state.charge?.id } };
    return { success: false, state: 'Authorized', errorMessage: 'The money has not arrived yet' };
  },

  async cancelPayment(_ctx, _order, payment) {
    const state = await closeSession(getConnection().causeway, payment.transactionId);
    const isUnpaid = !state || (state.outcome !== 'paid' && !hasReceivedMoney(state));
    if (isUnpaid || state.outcome === 'ended') return { success: true };
    return { success: false, state: 'Authorized', errorMessage: 'Money has arrived for this payment' };
  },

  /** The refund is pending until the customer has entered bank details and you have paid it. */
  async createRefund(_ctx, _input, amount, _order, payment) {
    const { causeway } = getConnection();
    const charge = (await readSession(causeway, payment.transactionId))?.charge;
    if (charge?.status !== 'completed')
      return { state: 'Failed', metadata: { error: 'The money has not arrived' } };
    const customerAmount = toRefundAmount(charge, amount / unitsPerMajor);
    const refund = await causeway.refunds.create({ chargeId: charge.id, customerAmount });
    return { state: 'Pending', transactionId: refund.id };
  },
});

/** The payments of an order that this plugin created. */
export const findCausewayPayments = (payments: Payment[] | undefined): Payment[] =>
  (payments ?? []).filter(({ transactionId }) => transactionId?.startsWith('ses_'));

function toSessionRequest(order: Order, amount: number, metadata: PaymentMetadata): CreateSessionRequest {
  const { storefrontUrl, methods, expiresInMinutes = 1_440 } = getConnection().options;
  const { emailAddress: email, firstName, lastName } = order.customer ?? {};
  const customer = {
    ...(email && { email }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
  };
  return {
    amount: amount / unitsPerMajor,
    currency: order.currencyCode,
    notifyPayload: `${orderPrefix}${order.code}`,
    redirectUrl: checkReturnUrl(metadata.returnUrl ?? storefrontUrl, storefrontUrl),
    expiresInMinutes,
    ...(methods && { methods }),
    ...(metadata.locale ? { locale: metadata.locale as NonNullable<CreateSessionRequest['locale']> } : {}),
    ...(Object.keys(customer).length > 0 && { customer }),
  };
}

/** The storefront provides the return URL, so the URL must be on the storefront. */
function checkReturnUrl(url: unknown, storefrontUrl: string): string {
  const text = String(url);
  if (URL.canParse(text) && new URL(text).origin === new URL(storefrontUrl).origin) return text;
  throw new Error('returnUrl must be on the storefront');
}
