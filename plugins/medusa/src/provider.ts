import type {
  AuthorizePaymentInput,
  CancelPaymentInput,
  CapturePaymentInput,
  DeletePaymentInput,
  GetPaymentStatusInput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentProviderInput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RetrievePaymentInput,
  PaymentSessionStatus as Status,
  UpdatePaymentInput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import {
  AbstractPaymentProvider,
  MathBN,
  MedusaError,
  PaymentActions,
  PaymentSessionStatus,
} from '@medusajs/framework/utils';
import { type Causeway, type CreateSessionRequest, verifyWebhook } from 'causeway-client';
import { type CausewayOptions, checkOptions, createClient } from './options.ts';
import { closeSession, hasReceivedMoney, readSession, type SessionState } from './payment-state.ts';
import { toRefundAmount } from './refund-amount.ts';

/** The data of a payment session in Medusa. Storefronts can read it. */
type SessionData = {
  /** The ID of the payment session in Medusa, `payses_…`. */
  session_id: string;
  /** The ID of the session in Causeway, `ses_…`. */
  causeway_session_id: string;
  checkout_url: string;
  /** The token with which the storefront can show the embedded checkout and follow the payment. */
  client_token: string | undefined;
  amount: number;
  currency_code: string;
};

const statuses: Record<SessionState['outcome'], Status> = {
  paid: PaymentSessionStatus.CAPTURED,
  open: PaymentSessionStatus.PENDING_AUTHORIZATION,
  ended: PaymentSessionStatus.CANCELED,
};

/** The action for each event type. Medusa handles only `captured`; the subscriber handles the others. */
const actions: Record<string, WebhookActionResult['action']> = {
  CHARGE_COMPLETE: PaymentActions.SUCCESSFUL,
  charge_part_paid: PaymentActions.PENDING_AUTHORIZATION,
  charge_expired: PaymentActions.CANCELED,
  charge_cancelled: PaymentActions.CANCELED,
  session_expired: PaymentActions.CANCELED,
  session_cancelled: PaymentActions.CANCELED,
};

/**
 * Accepts bank and wallet transfers. The order is placed before the money arrives, so the authorization is deferred.
 */
export class CausewayProvider extends AbstractPaymentProvider<CausewayOptions> {
  static override identifier = 'causeway';

  readonly #options: CausewayOptions;
  readonly #causeway: Causeway;

  static override validateOptions(options: Record<string, unknown>): void {
    checkOptions(options);
  }

  constructor(container: Record<string, unknown>, options: CausewayOptions) {
    super(container, options);
    this.#options = options;
    this.#causeway = createClient(options);
  }

  override async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const { context, data = {} } = input;
    const sessionId = String(data.session_id);
    return this.#createSession(input, sessionId, context?.idempotency_key ?? sessionId);
  }

  /** A session in Causeway has a fixed amount. If the amount changes, another session replaces it. */
  override async updatePayment(input: UpdatePaymentInput) {
    const { amount, currency_code, data = {} } = input;
    const { session_id, causeway_session_id, amount: lastAmount, currency_code: lastCurrency } = toData(data);
    if (MathBN.eq(amount, lastAmount) && currency_code.toLowerCase() === lastCurrency) return { data };
    await this.#requireUnpaid(causeway_session_id);
    return this.#createSession(input, session_id, `${session_id}-after-${causeway_session_id}`);
  }

  /** Medusa deletes the payment session when the cart changes or the customer selects another payment method. */
  override async deletePayment({ data }: DeletePaymentInput) {
    const id = data?.causeway_session_id;
    if (id) await this.#requireUnpaid(String(id));
    return { data: data ?? {} };
  }

  override async authorizePayment(input: AuthorizePaymentInput) {
    return this.getPaymentStatus(input);
  }

  override async getPaymentStatus({ data = {} }: GetPaymentStatusInput) {
    const { outcome, charge } = await this.#readSession(data);
    return { status: statuses[outcome], data: { ...data, ...(charge && { causeway_charge_id: charge.id }) } };
  }

  override async retrievePayment(input: RetrievePaymentInput) {
    const { data } = await this.getPaymentStatus(input);
    return { data };
  }

  /** Medusa captures the payment when the money arrives, so there is nothing to do. */
  override async capturePayment({ data = {} }: CapturePaymentInput) {
    return { data };
  }

  /**
   * Medusa creates a payment only when the money has arrived, and then refunds the payment instead of cancelling it.
   */
  override async cancelPayment({ data = {} }: CancelPaymentInput) {
    return { data };
  }

  /** Creates the refund, which is complete when the customer has entered bank details and you have paid it. */
  override async refundPayment({ data = {}, amount, context }: RefundPaymentInput) {
    const { charge } = await this.#readSession(data);
    if (!charge) throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'The payment has not arrived');
    const customerAmount = toRefundAmount(charge, MathBN.convert(amount).toNumber());
    const key = context?.idempotency_key;
    await this.#causeway.refunds.create(
      { chargeId: charge.id, customerAmount, ...(key && { metadata: { medusa_refund: key } }) },
      { idempotencyKey: key },
    );
    return { data };
  }

  override async getWebhookActionAndData({
    rawData,
    headers,
  }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const { message, payload } = await verifyWebhook({
      body: rawData,
      headers: headers as Record<string, string>,
      secret: this.#options.webhookSecret,
    });
    const { notifyPayload, merchantAmount } = payload as { notifyPayload?: string; merchantAmount?: number };
    // Other notifications of the same merchant do not concern Medusa.
    if (!notifyPayload?.startsWith('payses_')) return { action: PaymentActions.NOT_SUPPORTED };
    const action = actions[message] ?? PaymentActions.NOT_SUPPORTED;
    return { action, data: { session_id: notifyPayload, amount: merchantAmount ?? 0 } };
  }

  async #createSession(
    { amount, currency_code, data = {}, context }: InitiatePaymentInput,
    sessionId: string,
    idempotencyKey: string,
  ): Promise<InitiatePaymentOutput> {
    const { methods, expiresInMinutes = 1_440, storefrontUrl } = this.#options;
    const amountNumber = MathBN.convert(amount).toNumber();
    const { email, first_name, last_name } = context?.customer ?? {};
    const customer = {
      ...(email && { email }),
      ...(first_name && { firstName: first_name }),
      ...(last_name && { lastName: last_name }),
    };
    const session = await this.#causeway.sessions.create(
      {
        amount: amountNumber,
        currency: currency_code.toUpperCase(),
        notifyPayload: sessionId,
        redirectUrl: checkReturnUrl(data.return_url ?? storefrontUrl, storefrontUrl),
        expiresInMinutes,
        ...(methods && { methods }),
        ...(data.locale ? { locale: data.locale as NonNullable<CreateSessionRequest['locale']> } : {}),
        ...(Object.keys(customer).length > 0 && { customer }),
      },
      { idempotencyKey },
    );
    const sessionData: SessionData = {
      session_id: sessionId,
      causeway_session_id: session.id,
      checkout_url: session.checkoutUrl,
      client_token: session.clientToken,
      amount: amountNumber,
      currency_code: currency_code.toLowerCase(),
    };
    return { id: session.id, status: PaymentSessionStatus.PENDING, data: sessionData };
  }

  async #readSession(data: PaymentProviderInput['data']): Promise<SessionState> {
    const id = toData(data).causeway_session_id;
    const state = await readSession(this.#causeway, id);
    if (!state) throw new MedusaError(MedusaError.Types.NOT_FOUND, `Causeway has no session ${id}`);
    return state;
  }

  async #requireUnpaid(id: string): Promise<void> {
    const state = await closeSession(this.#causeway, id);
    if (state && (state.outcome === 'paid' || hasReceivedMoney(state)))
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        'The customer has already paid. Complete the cart.',
      );
  }
}

function toData(data: PaymentProviderInput['data']): SessionData {
  if (!data?.causeway_session_id)
    throw new MedusaError(MedusaError.Types.INVALID_DATA, 'The payment session was not created by Causeway');
  return data as SessionData;
}

/** Prevents an open redirect: browsers send the return URL, so it must be on the storefront. */
function checkReturnUrl(url: unknown, storefrontUrl: string): string {
  const text = String(url);
  if (URL.canParse(text) && new URL(text).origin === new URL(storefrontUrl).origin) return text;
  throw new MedusaError(MedusaError.Types.INVALID_DATA, 'return_url must be on the storefront');
}
