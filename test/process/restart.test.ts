import { readFileSync } from 'node:fs';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient, type Client as SocketClient } from 'graphql-ws';
import * as relay from 'relay-runtime';
import * as urql from 'urql';
import { describe, expect, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { Causeway } from '../../packages/client/src/index.ts';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { basicAuth } from '../setup/api.ts';
import { serviceTest as test } from '../setup/fixtures.ts';
import type { Json } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { createServiceEnv } from './create-service-env.ts';
import { runServiceForTest } from './run-service.ts';

const guide = readFileSync(new URL('../../docs/reference/graphql.md', import.meta.url), 'utf8');

type Sample = { packageName: string; constant: string; url: string; keys?: ModeKeys };

/** Runs the sample of the guide that imports the package, and returns the constant. */
function runSample({ packageName, constant, url, keys }: Sample, scope: Record<string, unknown>): Json {
  const blocks = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code!);
  const code = blocks
    .find((block) => block.includes(` from '${packageName}'`))!
    .replaceAll(/^import .*$|^for await [\s\S]*?^}$|^const query = .*$/gm, '')
    .replace('wss://pay.example.com', url.replace('http', 'ws'))
    .replaceAll('https://pay.example.com', url)
    .replace("'KEY'", `'${keys?.apiKey}'`)
    .replace("'SECRET'", `'${keys?.apiSecret}'`);
  return new Function(...Object.keys(scope), `${code}; return ${constant};`)(...Object.values(scope));
}

const document = 'subscription Follow($id: ID!) { chargeUpdated(id: $id) { id status } }';

/** The artifact that relay-compiler creates from the document. */
const relayDocument = () => {
  const fields = ['id', 'status'].map((name) => ({
    kind: 'ScalarField',
    name,
    alias: null,
    args: null,
    storageKey: null,
  }));
  const selections = [
    {
      kind: 'LinkedField',
      name: 'chargeUpdated',
      alias: null,
      args: [{ kind: 'Variable', name: 'id', variableName: 'id' }],
      concreteType: 'Charge',
      plural: false,
      storageKey: null,
      selections: fields,
    },
  ];
  const argumentDefinitions = [{ kind: 'LocalArgument', name: 'id', defaultValue: null }];
  return {
    kind: 'Request',
    fragment: {
      kind: 'Fragment',
      name: 'Follow',
      type: 'Subscription',
      abstractKey: null,
      metadata: null,
      argumentDefinitions,
      selections,
    },
    operation: { kind: 'Operation', name: 'Follow', argumentDefinitions, selections },
    params: {
      id: null,
      cacheID: 'follow',
      name: 'Follow',
      operationKind: 'subscription',
      text: document,
      metadata: {},
    },
  } as Json;
};

type Watcher = { statuses: string[]; stop: () => unknown };
type Follow = (input: { url: string; id: string; keys: ModeKeys }) => Watcher;

/** The client of `graphql-ws` as documented, in a scope for the samples that use it. */
function createScope(url: string, keys: ModeKeys) {
  const authorization = basicAuth(keys);
  const sample = { packageName: 'graphql-ws', constant: 'client', url, keys };
  const client: SocketClient = runSample(sample, { createClient, WebSocket });
  return { client, authorization };
}

/** Closes the client. It rejects with the close event of a connection that has ended before. */
const closeSocket = async (client: SocketClient) => Promise.resolve(client.dispose()).catch(() => {});

async function collect(values: AsyncIterable<Json>, statuses: string[]): Promise<void> {
  for await (const value of values) statuses.push((value.data ?? value).chargeUpdated.status);
  statuses.push('the end');
}

const clients: Record<string, Follow> = {
  'graphql-ws': ({ url, id, keys }) => {
    const { client } = createScope(url, keys);
    const statuses: string[] = [];
    void collect(client.iterate({ query: document, variables: { id } }), statuses);
    return { statuses, stop: () => closeSocket(client) };
  },
  'graphql-sse': ({ url, id, keys }) => {
    const { authorization } = createScope(url, keys);
    const retryWait = () => new Promise((resolve) => setTimeout(resolve, 200));
    const scope = { createClient: createSseClient, authorization, retryWait };
    const client = runSample({ packageName: 'graphql-sse', constant: 'sseClient', url }, scope);
    const statuses: string[] = [];
    void collect(client.iterate({ query: document, variables: { id } }), statuses);
    return { statuses, stop: () => client.dispose() };
  },
  Relay: ({ url, id, keys }) => {
    const { client, authorization } = createScope(url, keys);
    const { Environment, Network, Observable, RecordSource, Store } = relay;
    const scope = { Environment, Network, Observable, RecordSource, Store, client, authorization };
    const environment = runSample({ packageName: 'relay-runtime', constant: 'environment', url }, scope);
    const statuses: string[] = [];
    const { dispose } = relay.requestSubscription<Json>(environment, {
      subscription: relayDocument(),
      variables: { id },
      onNext: (data) => statuses.push((data as Json).chargeUpdated.status),
      onCompleted: () => statuses.push('the end'),
    });
    const stop = () => {
      dispose();
      return closeSocket(client);
    };
    return { statuses, stop };
  },
  'Apollo Client': ({ url, id, keys }) => {
    const { client, authorization } = createScope(url, keys);
    const scope = { ApolloClient, ApolloLink, HttpLink, InMemoryCache, GraphQLWsLink, client, authorization };
    const apolloClient = runSample({ packageName: '@apollo/client', constant: 'apolloClient', url }, scope);
    const statuses: string[] = [];
    const subscription = apolloClient.subscribe({ query: gql(document), variables: { id } }).subscribe({
      next: ({ data }: Json) => statuses.push(data.chargeUpdated.status),
      complete: () => statuses.push('the end'),
    });
    const stop = () => {
      subscription.unsubscribe();
      apolloClient.stop();
      return closeSocket(client);
    };
    return { statuses, stop };
  },
  urql: ({ url, id, keys }) => {
    const { client, authorization } = createScope(url, keys);
    const { Client, cacheExchange, fetchExchange, subscriptionExchange } = urql;
    const scope = { Client, cacheExchange, fetchExchange, subscriptionExchange, client, authorization };
    const urqlClient = runSample({ packageName: 'urql', constant: 'urqlClient', url }, scope);
    const statuses: string[] = [];
    const subscription = urqlClient
      .subscription(document, { id })
      .subscribe(({ data, error }: Json) => statuses.push(error ? String(error) : data.chargeUpdated.status));
    const stop = () => {
      subscription.unsubscribe();
      return closeSocket(client);
    };
    return { statuses, stop };
  },
  'the client library': ({ url, id, keys }) => {
    const causeway = new Causeway({ url, key: keys.apiKey, secret: keys.apiSecret });
    const statuses: string[] = [];
    const abort = new AbortController();
    const updates = causeway.subscribe<Json>(document, { id }, { signal: abort.signal });
    const done = collect(updates, statuses).catch(() => {});
    const stop = () => {
      abort.abort();
      return done;
    };
    return { statuses, stop };
  },
};

describe('After a restart of the service', () => {
  test.for(['SIGTERM', 'SIGKILL'] as const)(
    'by %s, the live fields of every client continue with the final state',
    { timeout: 90_000 },
    async (signal, { service, merchant }) => {
      const env = createServiceEnv(service.connectionString);
      const first = runServiceForTest(onTestFinished, env);
      const { url } = await first.ready();
      const charge = await seedCharge(service, merchant, { mode: 'sandbox', now: new Date() });
      const watchers = Object.entries(clients).map(([name, follow]) => {
        const watcher = follow({ url, id: charge.id, keys: merchant.keys.sandbox });
        onTestFinished(async () => void (await watcher.stop()));
        return { name, statuses: watcher.statuses };
      });
      const readStatuses = () => Object.fromEntries(watchers.map(({ name, statuses }) => [name, statuses]));
      const expectAll = (expected: string[]) =>
        expect
          .poll(readStatuses, { timeout: 45_000 })
          .toEqual(Object.fromEntries(watchers.map(({ name }) => [name, expected])));
      await expectAll(['pending']);

      await first.end(signal);
      await completeSandboxCharge(service, {
        merchantId: merchant.merchant.id,
        mode: 'sandbox',
        id: charge.id,
        actor: 'user:test',
        now: new Date(),
      });
      const second = runServiceForTest(onTestFinished, { ...env, PORT: new URL(url).port });
      await second.ready();
      await expectAll(['pending', 'completed']);
    },
  );
});
