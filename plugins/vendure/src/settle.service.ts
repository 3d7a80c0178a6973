import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  EventBus,
  isGraphQlErrorResult,
  Logger,
  Order,
  OrderService,
  OrderStateTransitionEvent,
  Payment,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
} from '@vendure/core';
import { findCausewayPayments } from './handler.ts';
import { getConnection } from './options.ts';
import { hasReceivedMoney, readSession, type SessionState } from './payment-state.ts';

const loggerContext = 'CausewayPlugin';
/** The channel that has all orders. */
const defaultChannelCode = '__default_channel__';

export type PaymentOutcome =
  | 'awaiting_payment'
  | 'part_paid'
  | 'paid'
  | 'overpaid'
  /** The order was cancelled before the money arrived. */
  | 'paid_after_cancellation'
  | 'not_paid'
  /** The payment has ended, but the order has another payment, or Vendure rejects its cancellation. */
  | 'not_paid_order_kept';

/** The notes that orders get; only staff can read them. */
const notes: Partial<Record<PaymentOutcome, string>> = {
  part_paid: 'Only a part of the payment has arrived',
  overpaid: 'More than the total has arrived. Refund the difference in Causeway',
  paid_after_cancellation:
    'The payment arrived after the order was cancelled. Refund it in Causeway, or create another order',
  not_paid_order_kept:
    'A payment has ended, and the order was not cancelled. Arrange another payment, or cancel the order',
};

type Located = { ctx: RequestContext; order: Order; canCancelOrder: boolean };

/**
 * Synchronizes the payments of an order with Causeway. Reads the state from Causeway, because notifications can be lost
 * or repeated.
 */
@Injectable()
export class SettleService implements OnApplicationBootstrap {
  @Inject(TransactionalConnection) private readonly connection!: TransactionalConnection;
  @Inject(RequestContextService) private readonly requestContextService!: RequestContextService;
  @Inject(OrderService) private readonly orderService!: OrderService;
  @Inject(EventBus) private readonly eventBus!: EventBus;
  /** The end of the last settlement on SQLite. */
  #last: Promise<void> = Promise.resolve();

  /** Ends the payment when staff cancel an unpaid order. */
  onApplicationBootstrap(): void {
    this.eventBus.ofType(OrderStateTransitionEvent).subscribe(({ toState, order }) => {
      // The event bus waits for the commit. The scheduled task repeats what fails here.
      if (toState === 'Cancelled') void this.settleOrder(order.code).catch(logFailure(order.code));
    });
  }

  /**
   * Settles the payments of one order in a transaction. Throws errors of Causeway and of Vendure. On SQLite, where
   * concurrent transactions share a connection, orders are settled one after the other.
   */
  async settleOrder(code: string): Promise<void> {
    if (this.#canLockRows()) return this.#settleOrder(code);
    const settled = this.#last.then(() => this.#settleOrder(code));
    this.#last = settled.catch(() => undefined);
    return settled;
  }

  async #settleOrder(code: string): Promise<void> {
    const context = await this.#createContext(code);
    if (!context) return;
    const settle = (canCancelOrder: boolean) =>
      this.connection.withTransaction(context, async (ctx) => {
        const order = await this.#lockOrder(ctx, code);
        await this.#settlePayments({ ctx, order, canCancelOrder });
      });
    await settle(true).catch((error: Error) => {
      if (!(error instanceof OrderNotCancelledError)) throw error;
      Logger.warn(`The order ${code} was not paid and cannot be cancelled: ${error.message}`, loggerContext);
      // Vendure cancels the lines before it rejects the cancellation, so everything was rolled back.
      return settle(false);
    });
  }

  /** Settles all orders with an authorized payment, because notifications can be lost. */
  async reconcile(): Promise<void> {
    const payments = await this.connection.rawConnection
      .getRepository(Payment)
      .createQueryBuilder('payment')
      .innerJoinAndSelect('payment.order', 'order')
      .where("payment.state = 'Authorized' AND payment.transactionId LIKE 'ses%'")
      .getMany();
    for (const { order } of payments) await this.settleOrder(order.code).catch(logFailure(order.code));
  }

  async #settlePayments(located: Located): Promise<void> {
    const states: [Payment, SessionState][] = [];
    for (const payment of findCausewayPayments(located.order.payments)) {
      const state = await readSession(getConnection().causeway, payment.transactionId);
      if (!state) continue;
      await this.#settle(located, payment, state);
      states.push([payment, state]);
    }
    // A later payment can cancel the order, which changes the outcome of the earlier ones.
    for (const [payment, state] of states) await this.#note(located, payment, state);
  }

  async #settle(located: Located, payment: Payment, state: SessionState): Promise<void> {
    const { ctx, order } = located;
    // `closeSession` does not end a payment of which a part has arrived.
    const mustEnd = state.outcome === 'ended' || (order.state === 'Cancelled' && !hasReceivedMoney(state));
    if (payment.state === 'Authorized' && state.outcome === 'paid')
      requireSuccess(await this.orderService.settlePayment(ctx, payment.id));
    else if (payment.state === 'Authorized' && mustEnd) await this.#endPayment(located, payment);
    await this.#settleRefunds(ctx, payment, state);
  }

  /** Cancels the payment, and the order with its allocated stock if it has no other payment. */
  async #endPayment({ ctx, order, canCancelOrder }: Located, payment: Payment): Promise<void> {
    requireSuccess(await this.orderService.cancelPayment(ctx, payment.id));
    if (order.state === 'Cancelled' || !canCancelOrder) return;
    const payments = await this.orderService.getOrderPayments(ctx, order.id);
    if (payments.some(({ state }) => state === 'Settled' || state === 'Authorized')) return;
    const reason = 'The payment has expired, was cancelled or was reversed';
    const result = await this.orderService.cancelOrder(ctx, {
      orderId: order.id,
      reason,
      cancelShipping: true,
    });
    requireSuccess(result, OrderNotCancelledError);
    order.state = 'Cancelled';
  }

  async #settleRefunds(ctx: RequestContext, payment: Payment, { charge }: SessionState): Promise<void> {
    for (const refund of payment.refunds ?? []) {
      const status = charge?.refunds.find(({ id }) => id === refund.transactionId)?.status;
      if (refund.state !== 'Pending') continue;
      if (status === 'completed') await this.orderService.transitionRefundToState(ctx, refund.id, 'Settled');
      if (status === 'cancelled') await this.orderService.transitionRefundToState(ctx, refund.id, 'Failed');
    }
  }

  /** Records the outcome in the metadata of the payment, and adds a note to the order when the outcome changes. */
  async #note({ ctx, order }: Located, payment: Payment, state: SessionState): Promise<void> {
    const repository = this.connection.getRepository(ctx, Payment);
    const current = await repository.findOneByOrFail({ id: payment.id });
    const last = current.metadata.causeway;
    const outcome = toOutcome(state, order, current);
    const { charge } = state;
    const causeway = {
      outcome,
      ...(charge && {
        chargeId: charge.id,
        amountReceived: charge.amountReceived,
        amountExpected: charge.customerAmount,
        currency: charge.customerCurrency,
      }),
    };
    if (JSON.stringify(last) === JSON.stringify(causeway)) return;
    current.metadata = { ...current.metadata, causeway };
    await repository.save(current);
    const note = last?.outcome === outcome ? undefined : notes[outcome];
    if (note) await this.orderService.addNoteToOrder(ctx, { id: order.id, isPublic: false, note });
  }

  /** Uses the order's own channel, because the default channel may not have its payment method. */
  async #createContext(code: string): Promise<RequestContext | undefined> {
    const order = await this.connection.rawConnection
      .getRepository(Order)
      .findOne({ where: { code }, relations: ['channels'] });
    const channel = order?.channels.find((one) => one.code !== defaultChannelCode) ?? order?.channels[0];
    // The order's channel was loaded without its tax zone, so it is passed as a token.
    return channel && this.requestContextService.create({ apiType: 'admin', channelOrToken: channel.token });
  }

  #canLockRows(): boolean {
    return ['postgres', 'mysql', 'mariadb'].includes(this.connection.rawConnection.options.type);
  }

  /** Several notifications about one order can arrive at once, also in several processes. */
  async #lockOrder(ctx: RequestContext, code: string): Promise<Order> {
    const repository = this.connection.getRepository(ctx, Order);
    if (this.#canLockRows())
      await repository.findOne({ where: { code }, lock: { mode: 'pessimistic_write' } });
    return repository.findOneOrFail({
      where: { code },
      relations: ['payments', 'payments.refunds', 'lines'],
    });
  }
}

const logFailure =
  (code: string) =>
  ({ message }: Error): void =>
    Logger.error(`The payment of order ${code} could not be settled: ${message}`, loggerContext);

function toOutcome(state: SessionState, order: Order, payment: Payment): PaymentOutcome {
  if (state.outcome === 'paid') {
    const last = payment.metadata.causeway?.outcome;
    const wasPaid = last === 'paid' || last === 'overpaid';
    if (order.state === 'Cancelled' && !wasPaid) return 'paid_after_cancellation';
    return state.charge?.paymentState === 'over' ? 'overpaid' : 'paid';
  }
  // `state` was read before the payment was cancelled here.
  if (state.outcome === 'ended' || payment.state === 'Cancelled')
    return payment.state === 'Cancelled' && order.state !== 'Cancelled' ? 'not_paid_order_kept' : 'not_paid';
  return hasReceivedMoney(state) ? 'part_paid' : 'awaiting_payment';
}

/** Vendure rejects the cancellation of an order, for example while staff modify it. */
class OrderNotCancelledError extends Error {}

/** Vendure returns errors instead of throwing them. */
function requireSuccess(result: object, ErrorType: new (message: string) => Error = Error): void {
  if (isGraphQlErrorResult(result as never))
    throw new ErrorType(String((result as { message?: string }).message ?? 'Vendure rejected the change'));
}
