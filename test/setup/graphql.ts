import { createClient as createSseClient } from 'graphql-sse';
import { type Client, createClient as createSocketClient } from 'graphql-ws';
import type { Logger } from 'pino';

import WebSocket from 'ws';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basic } from './api.ts';
import { type TestApp, testApp } from './app.ts';
import { atEnd } from './at-end.ts';
import type { OneClock } from './clock.ts';
import { makeMerchant } from './makers.ts';

/** Credentials as tests give them: keys, a client token, or none. */
export type As = ModeKeys | { token: string } | null;

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, which the tests look at.
export type Json = any;

type Answer = { status: number; headers: Headers; data: Json; errors: Json; extensions: Json };

export type AskOptions = {
  variables?: object;
  operationName?: string;
  as?: As;
  headers?: Record<string, string>;
};

export type GraphqlApp = TestApp & {
  /** Where it listens. */
  url: string;
  merchant: NewMerchant;
  /** Another merchant of the same installation. */
  stranger: NewMerchant;
  /** Asks over HTTP; with the live keys of `merchant` unless said otherwise. */
  ask: (query: string, options?: AskOptions) => Promise<Answer>;
};

export function authorizationOf(as: As): { authorization?: string } {
  if (as === null) return {};
  return { authorization: 'token' in as ? `Bearer ${as.token}` : basic(as) };
}

/** Calls a mutation with one `input`: its success with `fields`, or the error that stopped it. */
export async function mutate(
  asker: {
    ask(query: string, options: { variables: object; as?: As }): Promise<{ data: Json; errors: Json }>;
  },
  name: string,
  input: object,
  fields = '',
  as?: As,
): Promise<Json> {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const success = fields && `... on ${type}Success { ${fields} }`;
  const { data, errors } = await asker.ask(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename ${success}
      ... on UserError { code message } ... on InvalidRequestError { errors { path message } }
      ... on UnprocessableError { errors { path message } } ... on RateLimitedError { retryAfterSeconds } } }`,
    { variables: { input }, ...(as !== undefined && { as }) },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name];
}

/** An answer with no ids in its texts: what is said of one that is not there is the same for all that are not. */
export function withoutIds(answer: Json): Json {
  return JSON.parse(JSON.stringify(answer).replaceAll(/\b[a-z]+_\w{20,}/g, '<id>'));
}

/** The application, listening, with two merchants. */
export async function graphqlApp(
  options: {
    clock?: OneClock;
    limiter?: RateLimiter;
    log?: Logger;
    answerMsMax?: number;
    trustProxy?: string[];
    prepare?: (app: TestApp) => Promise<void>;
  } = {},
): Promise<GraphqlApp> {
  const { prepare, ...appOptions } = options;
  const app = await testApp(appOptions);
  await prepare?.(app);
  const now = app.context.clock.now();
  const merchant = await makeMerchant(app.context.service, {}, now);
  const stranger = await makeMerchant(app.context.service, { name: 'Peak Coffee' }, now);
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const ask: GraphqlApp['ask'] = async (query, options = {}) => {
    const { variables, operationName, as = merchant.keys.live, headers } = options;
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorizationOf(as), ...headers },
      body: JSON.stringify({ query, variables, operationName }),
    });
    const { data, errors, extensions } = (await answer.json()) as Json;
    return { status: answer.status, headers: answer.headers, data, errors, extensions };
  };
  return { ...app, url, merchant, stranger, ask };
}

export type Stream = {
  /** Data and errors of the next event. */
  next: () => Promise<Json>;
  /** The next event with its extensions. */
  nextWhole: () => Promise<Json>;
  end: () => Promise<void>;
};

/** One subscription over graphql-ws. */
export function overSocket(url: string, as: As, query: string, variables = {}): Stream {
  const client = socketClient(url, authorizationOf(as));
  return streamOf(client.iterate({ query, variables }), async () => client.dispose());
}

/** A client over graphql-ws; as a browser it gives the `headers`, such as its cookie, with the handshake. */
export function socketClient(
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
  atEnd(() => client.dispose());
  return client;
}

/** One subscription over server-sent events, with the client of graphql-sse in its distinct connections mode. */
export function overSse(url: string, as: As, query: string, variables = {}): Stream {
  const client = createSseClient({
    url: `${url}/graphql`,
    headers: authorizationOf(as) as Record<string, string>,
    retryAttempts: 0,
  });
  atEnd(() => client.dispose());
  return streamOf(client.iterate({ query, variables }), async () => client.dispose());
}

function streamOf(iterator: AsyncIterableIterator<Json>, dispose: () => Promise<void>): Stream {
  const nextWhole = async () => {
    const { value, done } = await iterator.next();
    return done ? 'the end' : value;
  };
  return {
    nextWhole,
    next: async () => {
      const event = await nextWhole();
      if (typeof event !== 'object') return event;
      const { extensions: _, ...rest } = event;
      return rest;
    },
    end: async () => {
      await iterator.return?.();
      await dispose();
    },
  };
}

/** Pages through a list to its end; what comes in between is done after each page. */
export async function pageThrough(
  page: (cursor: string | null) => Promise<{ ids: string[]; cursor: string | null; hasMore: boolean }>,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const got = await page(cursor);
    ids.push(...got.ids);
    if (!got.hasMore) return ids;
    cursor = got.cursor;
    await between();
  }
}
