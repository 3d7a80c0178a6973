import { createClient as createSseClient } from 'graphql-sse';
import { type Client, createClient as createSocketClient } from 'graphql-ws';
import type { Logger } from 'pino';

import WebSocket from 'ws';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth } from './api.ts';
import { setupApp, type TestApp } from './app.ts';
import type { OnCleanup } from './cleanup.ts';
import type { PlainClock } from './fake-clock.ts';
import { seedMerchant } from './seed.ts';

export type ApiAuth = ModeKeys | { token: string } | null;

// biome-ignore lint/suspicious/noExplicitAny: Responses have any shape.
export type Json = any;

type AskResponse = { status: number; headers: Headers; data: Json; errors: Json; extensions: Json };

export type AskOptions = {
  variables?: object;
  operationName?: string;
  as?: ApiAuth;
  headers?: Record<string, string>;
};

export type GraphqlApp = TestApp & {
  url: string;
  merchant: NewMerchant;
  otherMerchant: NewMerchant;
  /** Sends an operation over HTTP, by default with the live keys of `merchant`. */
  ask: (query: string, options?: AskOptions) => Promise<AskResponse>;
};

export function toAuthorization(as: ApiAuth): { authorization?: string } {
  if (as === null) return {};
  return { authorization: 'token' in as ? `Bearer ${as.token}` : basicAuth(as) };
}

/** Executes a mutation. Returns the success with `fields`, or the error. */
export async function mutate(
  client: {
    ask(query: string, options: { variables: object; as?: ApiAuth }): Promise<{ data: Json; errors: Json }>;
  },
  name: string,
  input: object,
  fields = '',
  as?: ApiAuth,
): Promise<Json> {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const success = fields && `... on ${type}Success { ${fields} }`;
  const { data, errors } = await client.ask(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename ${success}
      ... on UserError { code message } ... on InvalidRequestError { errors { path message } }
      ... on UnprocessableError { errors { path message } } ... on RateLimitedError { retryAfterSeconds } } }`,
    { variables: { input }, ...(as !== undefined && { as }) },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name];
}

/** Replaces IDs in a response, to compare error responses for different objects. */
export function maskIds(response: Json): Json {
  return JSON.parse(JSON.stringify(response).replaceAll(/\b[a-z]+_\w{20,}/g, '<id>'));
}

/** Sets up the application, listening, with two merchants. */
export async function setupGraphqlApp(
  onCleanup: OnCleanup,
  options: {
    clock?: PlainClock;
    limiter?: RateLimiter;
    log?: Logger;
    requestTimeoutMs?: number;
    trustProxy?: string[];
    prepare?: (app: TestApp) => Promise<void>;
  } = {},
): Promise<GraphqlApp> {
  const { prepare, ...appOptions } = options;
  const app = await setupApp(onCleanup, appOptions);
  await prepare?.(app);
  const now = app.context.clock.now();
  const merchant = await seedMerchant(app.context.service, {}, now);
  const otherMerchant = await seedMerchant(app.context.service, { name: 'Peak Coffee' }, now);
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const ask: GraphqlApp['ask'] = async (query, options = {}) => {
    const { variables, operationName, as = merchant.keys.live, headers } = options;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...toAuthorization(as), ...headers },
      body: JSON.stringify({ query, variables, operationName }),
    });
    const { data, errors, extensions } = (await response.json()) as Json;
    return { status: response.status, headers: response.headers, data, errors, extensions };
  };
  return { ...app, url, merchant, otherMerchant, ask };
}

export type EventStream = {
  /** Returns the data and errors of the next event; `the end` after the last. */
  next: () => Promise<Json>;
  /** Returns the next event with its extensions; `the end` after the last. */
  nextWithExtensions: () => Promise<Json>;
  close: () => Promise<void>;
};

export function subscribeOverWebSocket(
  onCleanup: OnCleanup,
  url: string,
  as: ApiAuth,
  query: string,
  variables = {},
): EventStream {
  const client = createWebSocketClient(onCleanup, url, toAuthorization(as));
  return toEventStream(client.iterate({ query, variables }), async () => client.dispose());
}

/** Creates a client of graphql-ws. `headers` are those of the handshake, such as a browser’s cookie. */
export function createWebSocketClient(
  onCleanup: OnCleanup,
  url: string,
  connectionParams: Record<string, unknown>,
  headers: Record<string, string> = {},
): Client {
  const client = createSocketClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { headers });
      }
    },
    connectionParams,
    retryAttempts: 0,
  });
  onCleanup(() => client.dispose());
  return client;
}

/** Subscribes over server-sent events in the distinct connections mode of graphql-sse. */
export function subscribeOverSse(
  onCleanup: OnCleanup,
  url: string,
  as: ApiAuth,
  query: string,
  variables = {},
): EventStream {
  const client = createSseClient({
    url: `${url}/graphql`,
    headers: toAuthorization(as) as Record<string, string>,
    retryAttempts: 0,
  });
  onCleanup(() => client.dispose());
  return toEventStream(client.iterate({ query, variables }), async () => client.dispose());
}

function toEventStream(iterator: AsyncIterableIterator<Json>, dispose: () => Promise<void>): EventStream {
  const nextWithExtensions = async () => {
    const { value, done } = await iterator.next();
    return done ? 'the end' : value;
  };
  return {
    nextWithExtensions,
    next: async () => {
      const event = await nextWithExtensions();
      if (typeof event !== 'object') return event;
      const { extensions: _, ...rest } = event;
      return rest;
    },
    close: async () => {
      await iterator.return?.();
      await dispose();
    },
  };
}

/** Reads all pages of a list, and calls `betweenPages` after each but the last. Returns the IDs. */
export async function readAllPages(
  readPage: (cursor: string | null) => Promise<{ ids: string[]; cursor: string | null; hasMore: boolean }>,
  betweenPages: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const currentPage = await readPage(cursor);
    ids.push(...currentPage.ids);
    if (!currentPage.hasMore) return ids;
    cursor = currentPage.cursor;
    await betweenPages();
  }
}
