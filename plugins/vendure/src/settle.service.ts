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
  | 'not_paid';

/** The notes that orders get; only staff can read them. */
const notes: Partial<Record<PaymentOutcome, string>> = {
  part_paid: 'Only a part of the payment has arrived',
  overpaid: 'More than the total has arrived. Refund the difference in Causeway',
  paid_after_cancellation:
    'The payment arrived after the order was cancelled. Refund it in Causeway, or create another order',
};

type Located = { ctx: RequestContext; order: Order };

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
    await this.connection.withTransaction(context, async (ctx) => {
      const order = await this.#lockOrder(ctx, code);
      for (const payment of findCausewayPayments(order.payments)) await this.#settle({ ctx, order }, payment);
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

  async #settle({ ctx, order }: Located, payment: Payment): Promise<void> {
    const state = await readSession(getConnection().causeway, payment.transactionId);
    if (!state) return;
    // `closeSession` does not end a payment of which a part has arrived.
    const mustEnd = state.outcome === 'ended' || (order.state === 'Cancelled' && !hasReceivedMoney(state));
    if (payment.state === 'Authorized' && state.outcome === 'paid')
      requireSuccess(await this.orderService.settlePayment(ctx, payment.id));
    else if (payment.state === 'Authorized' && mustEnd) await this.#endPayment({ ctx, order }, payment);
    await this.#settleRefunds(ctx, payment, state);
    await this.#note({ ctx, order }, payment, state);
  }

  /** Cancels the payment, and the order with its allocated stock. */
  async #endPayment({ ctx, order }: Located, payment: Payment): Promise<void> {
    requireSuccess(await this.orderService.cancelPayment(ctx, payment.id));
    if (order.state === 'Cancelled') return;
    const reason = 'The payment has expired, was cancelled or was reversed';
    const result = await this.orderService.cancelOrder(ctx, {
      orderId: order.id,
      reason,
      cancelShipping: true,
    });
    requireSuccess(result);
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
    const outcome = toOutcome(state, order, last?.outcome);
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

function toOutcome(state: SessionState, order: Order, last: PaymentOutcome | undefined): PaymentOutcome {
  if (state.outcome === 'paid') {
    const wasPaid = last === 'paid' || last === 'overpaid';
    if (order.state === 'Cancelled' && !wasPaid) return 'paid_after_cancellation';
    return state.charge?.paymentState === 'over' ? 'overpaid' : 'paid';
  }
  if (state.outcome === 'ended') return 'not_paid';
  return hasReceivedMoney(state) ? 'part_paid' : 'awaiting_payment';
}

/** Vendure returns errors instead of throwing them. */
function requireSuccess(result: object): void {
  if (isGraphQlErrorResult(result as never))
    throw new Error(String((result as { message?: string }).message ?? 'Vendure rejected the change'));
}
