import { describe, expect, onTestFinished, vi } from 'vitest';
import { Causeway, CausewayError, type TransportOptions } from '../../packages/client/src/index.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { type ReceiverHandler, startReceiver } from '../setup/receiver.ts';
import { seedCharge, seedCompletedCharge } from '../setup/seed.ts';

const toOptions = ({ url, merchant }: GraphqlApp, options: Partial<TransportOptions> = {}) => ({
  url,
  key: merchant.keys.sandbox.apiKey,
  secret: merchant.keys.sandbox.apiSecret,
  retryDelayMs: 5,
  ...options,
});

const test = graphqlTest.extend('causeway', ({ app }) => new Causeway(toOptions(app)));

const session = { amount: 128.5, currency: 'HKD' };

/**
 * Forwards requests to the service. `intercept` may respond instead, before or after the service has executed the
 * request.
 */
function forwardTo(
  url: string,
  intercept: (
    options: Parameters<ReceiverHandler> & { 0: { index: number } },
    forward: () => Promise<Response>,
  ) => Promise<Response | undefined>,
): ReceiverHandler {
  return async (...exchange) => {
    const [request, response] = exchange;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const forward = () =>
      fetch(url + request.path, {
        method: request.method,
        headers: headers as Record<string, string>,
        ...(request.raw.length > 0 && { body: new Uint8Array(request.raw) }),
      });
    const result = await intercept(exchange, forward);
    if (!result) return void response.destroy();
    const {
      'content-encoding': ____,
      'content-length': _____,
      ...resultHeaders
    } = Object.fromEntries(result.headers);
    response.writeHead(result.status, resultHeaders).end(await result.text());
  };
}

describe('REST calls', () => {
  test('create a session, read it, and create, pay, refund and list its objects', async ({ causeway }) => {
    const { clientToken, ...created } = await causeway.sessions.create({ ...session, methods: ['fps'] });
    expect(clientToken).toMatch(/^ses_/);
    expect(await causeway.sessions.get(created.id)).toEqual(created);
    const charge = await causeway.charges.create({
      ...{ email: 'ada@example.com', merchantAmount: 96, merchantCurrency: 'HKD', method: 'fps' },
    });
    const paid = await causeway.charges.complete(charge.id);
    expect(paid).toMatchObject({ id: charge.id, status: 'completed' });
    const refund = await causeway.refunds.create({ chargeId: charge.id, customerAmount: 20.5 });
    expect(await Array.fromAsync(causeway.refunds.list({ chargeId: charge.id }))).toEqual([refund]);
    const { pagination } = await causeway.charges.listPage({ limit: 1 });
    expect(pagination.currentPage).toBe(1);
  });

  test('return the hash of a charge as text, and other results with their types', async ({ causeway }) => {
    const hash = await causeway.charges.createHash({ merchantAmount: 96, merchantCurrency: 'HKD' });
    expect(hash).toMatch(/^\S{20,}$/);
    expect(await causeway.info.listCurrencies()).toContain('HKD');
    const upload = await causeway.files.upload(new Uint8Array([1, 2, 3]), { fileName: 'a.csv' });
    expect(upload.size).toBe(3);
    const results = await causeway.transfers.record([
      {
        ...{ id: 'bank-1', method: 'fps', account: 'none', amount: 5, currency: 'HKD' },
        ...{ reference: 'tea', paidAt: '2026-11-20' },
      },
    ]);
    expect(results.transfers).toHaveLength(1);
  });

  test('throw one error class with code, status, request ID and the invalid fields', async ({ causeway }) => {
    const error = await causeway.sessions.create({ ...session, amount: 'much' as never }).catch((e) => e);
    expect(error).toBeInstanceOf(CausewayError);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(error.requestId).toMatch(/^req_/);
    expect(error.errors).toMatchObject([{ path: '/amount', message: 'must be a number' }]);
    await expect(causeway.charges.get('ch/../none')).rejects.toMatchObject({ code: 'charge_not_found' });
  });

  test('iterate over all pages and repeat no object when new ones move the others', async ({
    app,
    service,
    causeway,
  }) => {
    const input = (i: number) => ({ email: `page${i}@example.com`, notifyPayload: 'page' });
    const seed = (i: number) =>
      seedCharge(service, app.merchant, { mode: 'sandbox', input: input(i), now: new Date() });
    for (let i = 0; i < 5; i++) await seed(i);
    const before = new Set((await Array.fromAsync(causeway.charges.list())).map(({ id }) => id));
    expect(before.size).toBeGreaterThanOrEqual(5);
    const ids: string[] = [];
    for await (const { id } of causeway.charges.list({ limit: 2 })) {
      if (ids.length === 1) await seed(9);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect([...before].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('Retries', () => {
  test('repeat a request after 503 with the same idempotency key', async ({ app }) => {
    await using proxy = await startReceiver(
      forwardTo(app.url, async ([{ index }], forward) =>
        index === 0 ? Response.json({ code: 'unavailable', detail: 'later' }, { status: 503 }) : forward(),
      ),
    );
    const causeway = new Causeway(toOptions(app, { url: `${proxy.url}/` }));
    expect(await causeway.sessions.create(session)).toMatchObject({ status: 'created' });
    const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test('create one object when the connection is cut after the service has created it', async ({
    app,
    service,
  }) => {
    await using proxy = await startReceiver(
      forwardTo(app.url, async ([{ index }], forward) => {
        const response = await forward();
        return index % 2 === 0 ? undefined : response;
      }),
    );
    const causeway = new Causeway(toOptions(app, { url: proxy.url }));
    const created = await causeway.sessions.create({ ...session, notifyPayload: 'cut' });
    const count = () => service.prisma.checkoutSession.findMany({ where: { notifyPayload: 'cut' } });
    expect((await count()).map(({ id }) => id)).toEqual([created.id]);

    const document = `mutation ($input: CreateSessionInput!) {
      createSession(input: $input) { ... on CreateSessionSuccess { session { id } } ... on UserError { code message } }
    }`;
    const input = { amount: '5', currency: 'HKD', notifyPayload: 'cut' };
    type Created = { createSession: { session: { id: string } } };
    const { createSession } = await causeway.graphql<Created>(document, { input });
    expect((await count()).map(({ id }) => id).sort()).toEqual([created.id, createSession.session.id].sort());
    expect(proxy.requests).toHaveLength(4);
  });

  test('report a cancellation as a success if the first attempt cancelled without a response', async ({
    app,
    service,
    causeway,
  }) => {
    await using proxy = await startReceiver(
      forwardTo(app.url, async ([{ index }], forward) => {
        const response = await forward();
        return index === 0 ? undefined : response;
      }),
    );
    const { id } = await seedCharge(service, app.merchant, { mode: 'sandbox', now: new Date() });
    expect(await new Causeway(toOptions(app, { url: proxy.url })).charges.cancel(id)).toBe(true);
    await expect(causeway.charges.cancel(id)).rejects.toMatchObject({
      code: 'charge_not_pending',
      status: 409,
    });
  });

  test('end after the given number, and repeat neither errors of the input nor mutations without a key', async ({
    app,
  }) => {
    await using proxy = await startReceiver((_, response) => response.writeHead(502).end('<html>'));
    const causeway = new Causeway(toOptions(app, { url: proxy.url, retries: 3 }));
    const lost = { code: 'invalid_response', status: 502 };
    await expect(causeway.info.listMethods()).rejects.toMatchObject(lost);
    expect(proxy.requests).toHaveLength(4);
    const document = 'mutation Two { signOut { __typename } }';
    await expect(causeway.graphql(document, {}, { idempotencyKey: null })).rejects.toMatchObject(lost);
    expect(proxy.requests).toHaveLength(5);
  });

  test('end with timeout, with connection_failed, and with the reason of an aborted signal', async ({
    app,
  }) => {
    await using silent = await startReceiver(() => {});
    const options = toOptions(app, { url: silent.url, timeoutMs: 500, retries: 1 });
    await expect(new Causeway(options).info.listMethods()).rejects.toMatchObject({ code: 'timeout' });
    expect(silent.requests).toHaveLength(2);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(new Causeway(options).info.listMethods({ signal })).rejects.toThrow('enough');
    await silent.stop();
    const patient = new Causeway({ ...options, timeoutMs: 10_000 });
    await expect(patient.info.listMethods()).rejects.toMatchObject({
      code: 'connection_failed',
    });
  });

  test('wait for Retry-After, and end if it is longer than the longest wait', async ({ app }) => {
    await using proxy = await startReceiver((_, response) =>
      response.writeHead(429, { 'retry-after': '31' }).end('{"code":"rate_limited"}'),
    );
    const causeway = new Causeway(toOptions(app, { url: proxy.url }));
    const limited = { code: 'rate_limited', status: 429, retryAfterSeconds: 31 };
    await expect(causeway.info.listMethods()).rejects.toMatchObject(limited);
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('GraphQL', () => {
  test('throws errors of queries, and errors that mutations return', async ({ causeway }) => {
    await expect(causeway.graphql('{ nothing }')).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
    const cancel = (selection: string) =>
      causeway.graphql(`mutation { cancelCharge(input: { id: "ch_none" }) { ${selection} } }`);
    const success = '... on CancelChargeSuccess { charge { id } }';
    await expect(cancel(`${success} ... on UserError { code message }`)).rejects.toMatchObject({
      ...{ code: 'charge_not_found', status: 404, message: expect.stringContaining('ch_none') },
      requestId: expect.stringMatching(/^req_/),
    });
    for (const selection of [success, `__typename ${success}`])
      await expect(cancel(selection)).rejects.toMatchObject({ code: 'error_not_selected' });
  });

  test('returns an empty object for a successful mutation whose document selects only errors', async ({
    app,
    causeway,
    service,
  }) => {
    const { id } = await seedCharge(service, app.merchant, { mode: 'sandbox', now: new Date() });
    const document = `mutation ($id: ID!) { cancelCharge(input: { id: $id }) { ... on UserError { code message } } }`;
    expect(await causeway.graphql(document, { id })).toEqual({ cancelCharge: {} });
    expect((await causeway.charges.get(id)).status).toBe('cancelled');
    await expect(causeway.graphql(document, { id })).rejects.toMatchObject({ code: 'charge_not_pending' });
  });

  test('sends mutations from pages without HTTPS, which lack crypto.randomUUID', async ({ app }) => {
    const missing = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
      throw new TypeError('crypto.randomUUID is not a function');
    });
    onTestFinished(() => missing.mockRestore());
    const answer = async () => Response.json({ data: { cancelCharge: {} } });
    const causeway = new Causeway(toOptions(app, { fetch: answer }));
    const document = 'mutation { cancelCharge(input: { id: "ch_1" }) { ... on UserError { code message } } }';
    expect(await causeway.graphql(document)).toEqual({ cancelCharge: {} });
  });

  test('iterates over lists by their cursors, with nodes and with edges', async ({ causeway }) => {
    const expected = (await Array.fromAsync(causeway.charges.list())).map(({ id }) => id);
    type Page = {
      charges: { pageInfo: { hasNextPage: boolean; endCursor: string } } & Record<string, never>;
    };
    for (const selection of ['nodes { id }', 'edges { node { id } }']) {
      const document = `query ($after: String) {
        charges(first: 3, after: $after) { ${selection} pageInfo { hasNextPage endCursor } }
      }`;
      const nodes = causeway.iterate<Page, { id: string }, { after?: string }>(
        document,
        {},
        {
          select: ({ charges }) => charges,
        },
      );
      expect((await Array.fromAsync(nodes)).map(({ id }) => id)).toEqual(expected);
    }
  });

  test('follows a live field, and continues with the current state after the connection was cut', async ({
    app,
    service,
  }) => {
    const { id } = await seedCharge(service, app.merchant, { mode: 'sandbox', now: new Date() });
    const cuts: AbortController[] = [];
    const cutFetch: typeof fetch = (url, init) => {
      const cut = new AbortController();
      cuts.push(cut);
      return fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, cut.signal]) });
    };
    const causeway = new Causeway(toOptions(app, { fetch: cutFetch }));
    const document = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
    const causes: (string | undefined)[] = [];
    const events = causeway.subscribe<{ chargeUpdated: { status: string } }>(
      document,
      { id },
      {
        onDisconnect: (error) => causes.push(error?.code),
      },
    );
    const next = async () => (await events.next()).value?.chargeUpdated.status;
    expect(await next()).toBe('pending');
    cuts[0]!.abort();
    await new Causeway(toOptions(app)).charges.complete(id);
    await expect.poll(next).toBe('completed');
    expect(causes).toEqual(['connection_failed']);
    await events.return(undefined);
  });

  test('continues a stream with the variables of resume after complete, an interruption and 503', async ({
    app,
  }) => {
    const event = (n: number) => `event: next\r\ndata: {"data":{"eventAdded":{"cursor":"${n}"}}}\r\n\r\n`;
    await using server = await startReceiver(({ index }, response) => {
      if (index === 2) return void response.writeHead(503).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (index === 0)
        return void response.end(`:\r\n\r\n${event(1)}${event(2)}event: complete\r\ndata:\r\n\r\n`);
      if (index === 1) return void response.write(event(3), () => response.destroy());
      const half = event(4).length / 2;
      response.write(event(4).slice(0, half), () => response.write(event(4).slice(half)));
    });
    const causeway = new Causeway(toOptions(app, { url: server.url }));
    type Added = { eventAdded: { cursor: string } };
    const document = 'subscription ($after: String) { eventAdded(after: $after) { cursor } }';
    const causes: (string | undefined)[] = [];
    const events = causeway.subscribe<Added, { after: string }>(
      document,
      { after: '0' },
      {
        resume: ({ eventAdded }) => ({ after: eventAdded.cursor }),
        onDisconnect: (error) => causes.push(error?.code),
      },
    );
    const cursors: string[] = [];
    for await (const { eventAdded } of events) if (cursors.push(eventAdded.cursor) === 4) break;
    expect(cursors).toEqual(['1', '2', '3', '4']);
    expect(server.requests.map(({ body }) => JSON.parse(body).variables.after)).toEqual(['0', '2', '3', '3']);
    expect(causes).toEqual([undefined, 'connection_failed', 'invalid_response']);
  });

  test('reads and follows a session with its client token only', async ({ app, causeway }) => {
    const document = `mutation ($input: CreateSessionInput!) {
      createSession(input: $input) {
        ... on CreateSessionSuccess { session { id } clientToken } ... on UserError { code message }
      }
    }`;
    type Created = { createSession: { session: { id: string }; clientToken: string } };
    const input = { amount: '5', currency: 'HKD' };
    const { createSession } = await causeway.graphql<Created>(document, { input });
    const { clientToken, session } = createSession;
    const customer = new Causeway({ url: app.url, clientToken });
    const query = 'query ($id: ID!) { session(id: $id) { status } }';
    expect(await customer.graphql(query, session)).toEqual({ session: { status: 'created' } });
    const updates = customer.subscribe(
      'subscription ($id: ID!) { sessionUpdated(id: $id) { status } }',
      session,
    );
    expect((await updates.next()).value).toEqual({ sessionUpdated: { status: 'created' } });
    await updates.return(undefined);
    await expect(customer.charges.get('ch_none')).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('ends a live field of an unknown object, and throws without valid credentials', async ({
    app,
    causeway,
  }) => {
    const document = 'subscription { chargeUpdated(id: "ch_none") { status } }';
    expect(await Array.fromAsync(causeway.subscribe(document))).toEqual([{ chargeUpdated: null }]);
    const intruder = new Causeway(toOptions(app, { secret: 'wrong' } as Partial<TransportOptions>));
    await expect(intruder.subscribe(document).next()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('reads the event log in order, and follows it from a cursor', async ({ app, service, causeway }) => {
    await seedCompletedCharge(service, app.merchant, { now: new Date() });
    await relayEvents(service, { now: new Date() });
    const all = await Array.fromAsync(causeway.events());
    expect(all.map(({ cursor }) => Number(cursor))).toEqual(all.map((_, i) => i + 1));
    const following = causeway.events({ after: all.at(-2)!.cursor, follow: true });
    expect((await following.next()).value).toEqual(all.at(-1));
    const { id } = await seedCompletedCharge(service, app.merchant, {
      now: new Date(),
      input: { email: 'z@example.com' },
    });
    const next = following.next();
    await relayEvents(service, { now: new Date() });
    expect((await next).value).toMatchObject({
      type: 'charge_created',
      objectId: id,
      payload: { chargeId: id },
    });
    await following.return(undefined);
  });
});
