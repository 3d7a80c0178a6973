import { CausewayError } from './error.ts';
import { type EventLogOptions, iterateEventLog, type LoggedEvent } from './event-log.ts';
import type { Charge } from './generated/rest.ts';
import { type Document, type GraphqlOptions, sendGraphql } from './graphql.ts';
import { followSubscription, type SubscribeOptions } from './live.ts';
import { type Connection, iterateConnection } from './pages.ts';
import {
  type Body,
  type CallOptions,
  type CreateOptions,
  type NewTransfer,
  type Query,
  Rest,
} from './rest.ts';
import { type RequestOptions, Transport, type TransportOptions } from './transport.ts';

export type IterateOptions<Data, Node> = RequestOptions & {
  /** Returns the connection in the result, such as `(data) => data.charges`. */
  select: (data: Data) => Connection<Node> | null | undefined;
};

/** A client for one Causeway service, with the credentials of one merchant and mode. */
export class Causeway {
  readonly #transport: Transport;
  readonly #rest: Rest;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    this.#rest = new Rest(this.#transport);
  }

  readonly charges = {
    create: (body: Body<'createCharge'>, options?: CreateOptions) =>
      this.#rest.post('createCharge', '/charges', body, options),
    createHash: (body: Body<'createChargeHash'>, options?: CreateOptions) =>
      this.#rest.post('createChargeHash', '/charges/hash', body, options),
    get: (id: string, options?: CallOptions) =>
      this.#rest.get('getCharge', path`/charges/${id}`, {}, options),
    list: (query: Query<'listCharges'> = {}, options?: CallOptions) =>
      this.#rest.list('listCharges', '/charges', 'charges', query, options),
    /** Reads one page with its `pagination`. */
    listPage: (query: Query<'listCharges'> = {}, options?: CallOptions) =>
      this.#rest.get('listCharges', '/charges', query, options),
    cancel: (id: string, options?: CallOptions): Promise<true> => this.#cancelCharge(id, options),
    /** Completes a sandbox charge as if its customer had paid. */
    complete: (id: string, options?: CreateOptions) =>
      this.#rest.post('completeSandboxCharge', path`/charges/${id}/complete`, undefined, options),
  };

  readonly sessions = {
    create: (body: Body<'createSession'>, options?: CreateOptions) =>
      this.#rest.post('createSession', '/sessions', body, options),
    get: (id: string, options?: CallOptions) =>
      this.#rest.get('getSession', path`/sessions/${id}`, {}, options),
    getCharge: (id: string, options?: CallOptions) =>
      this.#rest.get('getSessionCharge', path`/sessions/${id}/charge`, {}, options),
  };

  readonly refunds = {
    create: (body: Body<'createRefund'>, options?: CreateOptions) =>
      this.#rest.post('createRefund', '/refunds', body, options),
    get: (id: string, options?: CallOptions) =>
      this.#rest.get('getRefund', path`/refunds/${id}`, {}, options),
    list: (query: Query<'listRefunds'> = {}, options?: CallOptions) =>
      this.#rest.list('listRefunds', '/refunds', 'refunds', query, options),
    listPage: (query: Query<'listRefunds'> = {}, options?: CallOptions) =>
      this.#rest.get('listRefunds', '/refunds', query, options),
  };

  readonly checkoutLinks = {
    create: (body: Body<'createCheckoutLink'>, options?: CreateOptions) =>
      this.#rest.post('createCheckoutLink', '/checkout-link', body, options),
  };

  readonly subscriptionLinks = {
    create: (body: Body<'createSubscriptionLink'>, options?: CreateOptions) =>
      this.#rest.post('createSubscriptionLink', '/subscription-link', body, options),
  };

  readonly subscriptions = {
    get: (id: string, options?: CallOptions) =>
      this.#rest.get('getSubscription', path`/subscriptions/${id}`, {}, options),
    list: (query: Query<'listSubscriptions'> = {}, options?: CallOptions) =>
      this.#rest.list('listSubscriptions', '/subscriptions', 'subscriptions', query, options),
    listPage: (query: Query<'listSubscriptions'> = {}, options?: CallOptions) =>
      this.#rest.get('listSubscriptions', '/subscriptions', query, options),
  };

  readonly subscriptionPlans = {
    get: (id: string, options?: CallOptions) =>
      this.#rest.get('getSubscriptionPlan', path`/subscription-plans/${id}`, {}, options),
    list: (query: Query<'listSubscriptionPlans'> = {}, options?: CallOptions) =>
      this.#rest.list('listSubscriptionPlans', '/subscription-plans', 'subscriptionPlans', query, options),
    listPage: (query: Query<'listSubscriptionPlans'> = {}, options?: CallOptions) =>
      this.#rest.get('listSubscriptionPlans', '/subscription-plans', query, options),
  };

  readonly transfers = {
    /** Reports up to 500 transfers. Each item has its own result. */
    record: (transfers: readonly NewTransfer[], options?: CreateOptions) =>
      this.#rest.post('recordTransfers', '/transfers', { transfers: [...transfers] }, options),
  };

  readonly phones = {
    requestVerification: (body: Body<'requestPhoneVerification'>, options?: CreateOptions) =>
      this.#rest.post('requestPhoneVerification', '/customers/phone/verification', body, options),
    verify: (body: Body<'verifyPhone'>, options?: CreateOptions) =>
      this.#rest.post('verifyPhone', '/customers/phone/verify', body, options),
  };

  readonly files = {
    upload: (file: Uint8Array<ArrayBuffer>, query: Query<'uploadFile'> = {}, options?: CallOptions) =>
      this.#rest.put('uploadFile', '/uploads', file, query, options),
    getStatement: (id: string, options?: CallOptions) =>
      this.#rest.download(path`/statements/${id}/file`, options),
    getExport: (id: string, options?: CallOptions) => this.#rest.download(path`/exports/${id}/file`, options),
  };

  readonly info = {
    listMethods: (options?: CallOptions) => this.#rest.get('listMethods', '/methods', {}, options),
    listCurrencies: (options?: CallOptions) => this.#rest.get('listCurrencies', '/currencies', {}, options),
    convert: (query: Query<'convert'>, options?: CallOptions) =>
      this.#rest.get('convert', '/forex', query, options),
    getTranslation: (query: Query<'getTranslation'>, options?: CallOptions) =>
      this.#rest.get('getTranslation', '/translations', query, options),
  };

  /**
   * Executes a query or a mutation, and returns its data. Throws the first error as a `CausewayError`, including an
   * error that a mutation returns as its result.
   */
  graphql<Data, Variables extends object = object>(
    document: Document<Data, Variables>,
    variables?: Variables,
    options: GraphqlOptions = {},
  ): Promise<Data> {
    return sendGraphql(this.#transport, String(document), variables, options);
  }

  /**
   * Iterates over all objects of a list. The document must use `$after` and select `pageInfo { hasNextPage endCursor
   * }`; otherwise the iteration throws a TypeError after the first page.
   */
  iterate<Data, Node, Variables extends { after?: string | null | undefined }>(
    document: Document<Data, Variables>,
    variables: Variables,
    { select, ...options }: IterateOptions<Data, Node>,
  ): AsyncGenerator<Node, void, undefined> {
    const readPage = (after: string | undefined) =>
      this.graphql<Data, Variables>(document, { ...variables, after }, options);
    return iterateConnection(readPage, select, variables.after ?? undefined);
  }

  /**
   * Executes a subscription over server-sent events, and reconnects after transient errors. Ends if the object does not
   * exist. Throws other errors, and the reason of the signal when it is aborted.
   */
  subscribe<Data, Variables extends object = object>(
    document: Document<Data, Variables>,
    variables?: Variables,
    options: SubscribeOptions<Data, Variables> = {},
  ): AsyncGenerator<Data, void, undefined> {
    return followSubscription(this.#transport, String(document), variables ?? ({} as Variables), options);
  }

  /** Iterates over the event log in order and without gaps, beginning after the cursor. */
  events(options: EventLogOptions = {}): AsyncGenerator<LoggedEvent, void, undefined> {
    return iterateEventLog(this.#transport, options);
  }

  /**
   * The cancellation has no idempotency key, so an earlier attempt whose response was lost may have cancelled the
   * charge.
   */
  async #cancelCharge(id: string, options?: CallOptions): Promise<true> {
    let attempts = 0;
    try {
      return await this.#rest.patch('cancelCharge', path`/charges/${id}/cancel`, {
        ...options,
        onAttempt: () => attempts++,
      });
    } catch (error) {
      const isEnded = error instanceof CausewayError && error.code === 'charge_not_pending';
      if (!isEnded || attempts === 1) throw error;
      const { status }: Charge = await this.charges.get(id, options);
      if (status !== 'cancelled') throw error;
      return true;
    }
  }
}

/** Encodes each value as one segment of the path. */
function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}
