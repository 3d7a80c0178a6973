import { createClient as createSocketClient, type Client as SocketClient } from 'graphql-ws';
import {
  type AnyVariables,
  Client,
  cacheExchange,
  type Exchange,
  fetchExchange,
  mapExchange,
  type Operation,
  subscriptionExchange,
} from 'urql';
import type { MutationResponse } from './errors.ts';
import { acceptViewer, getPageViewerId, setPageViewer, withPageViewer } from './page-viewer.ts';
import { randomKey } from './random-key.ts';
import { reauthenticationExchange } from './reauthentication.ts';
import {
  createLiveState,
  getRetryDelayMs,
  type LiveConnectionState,
  type LiveState,
  resilientSubscription,
  type StreamSink,
} from './resilient-subscription.ts';
import { fetchAndSyncClock } from './server-clock.ts';
import { withHeaders } from './with-headers.ts';

export type Mode = 'live' | 'sandbox';

export type ClientHandlers = {
  onSignedOut: () => void;
  onConnection: (connection: LiveConnectionState) => void;
  onPermissionsChanged: () => void;
};

/** A GraphQL client. `close` ends its live updates without calling the handlers. */
export type DashboardClient = { client: Client; close: () => void };

/** Returns whether the server closed the socket because of missing or invalid credentials. */
function isFinal(event: unknown): boolean {
  return (event as CloseEvent).code === 4401;
}

/**
 * Creates a client for one mode. Its cache has no data of the other mode. The browser sends the session cookie
 * with each request. `onSignedOut` is called when the session is invalid, `onPermissionsChanged` when the
 * permissions of the user have changed.
 */
export function createDashboardClient(options: { mode: Mode } & ClientHandlers): DashboardClient {
  const { mode } = options;
  setPageViewer(undefined);
  let isClosed = false;
  // Late events of a closed client must not affect its successor.
  const onSignedOut = () => {
    if (!isClosed) options.onSignedOut();
  };
  const onConnection = (connection: LiveConnectionState) => {
    if (!isClosed) options.onConnection(connection);
  };
  const onPermissionsChanged = () => {
    if (!isClosed) options.onPermissionsChanged();
  };
  const liveState = createLiveState(onConnection);
  const socket = openSocket(mode, { onSignedOut, liveState });
  const client: Client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch: fetchAndSyncClock,
    // The server responds fastest to queries and mutations if it sends plain JSON.
    fetchOptions: {
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'causeway-mode': mode },
    },
    exchanges: [
      sessionExchange({ onSignedOut, isClosed: () => isClosed }),
      reauthenticationExchange(() => client),
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables = {} }) => ({
          subscribe: (sink) => ({
            unsubscribe: resilientSubscription(socket, { query, variables }, sink as StreamSink, {
              liveState,
              isFinal,
              onPermissionsChanged,
            }),
          }),
        }),
      }),
      idempotencyExchange(),
      rootErrorExchange(),
      fetchExchange,
    ],
  });
  const close = () => {
    isClosed = true;
    void Promise.resolve(socket.dispose()).catch(() => {});
  };
  return { client, close };
}

/** The socket connects on the first subscription, and again after each interruption. */
function openSocket(
  mode: Mode,
  { onSignedOut, liveState }: Pick<ClientHandlers, 'onSignedOut'> & { liveState: LiveState },
): SocketClient {
  return createSocketClient({
    url: getSocketUrl(),
    connectionParams: () => ({ mode, viewer: getPageViewerId() }),
    lazy: true,
    lazyCloseTimeout: 2_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (retries) => delay(getRetryDelayMs(retries)),
    shouldRetry: (event) => !isFinal(event),
    on: {
      connected: () => liveState.markRestored('socket'),
      closed: (event) => {
        if (isFinal(event)) onSignedOut();
        else if ((event as CloseEvent).code !== 1000) liveState.markLost('socket');
      },
    },
  });
}

function getSocketUrl(): string {
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/graphql`;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Discards the data of a query if a root field failed, so that pages show the error instead of partial data. */
function rootErrorExchange(): Exchange {
  return mapExchange({
    onResult: (result) => {
      const hasRootError = result.error?.graphQLErrors.some(({ path }) => path?.length === 1);
      return result.operation.kind === 'query' && hasRootError ? { ...result, data: undefined } : result;
    },
  });
}

/**
 * Sends the expected viewer with each request. Calls `onSignedOut` if a response has no viewer or another one, or
 * rejects the session.
 */
export function sessionExchange(options: { onSignedOut: () => void; isClosed: () => boolean }): Exchange {
  const { onSignedOut, isClosed } = options;
  return mapExchange({
    onOperation: withPageViewer,
    onResult: ({ data, operation }) => {
      if (!data || isClosed()) return;
      // After signing out everywhere, the next response has no viewer.
      const isSignedOut = operation.context.isGate
        ? !acceptViewer(data.viewer?.user.id)
        : data.viewer === null;
      if (isSignedOut) onSignedOut();
    },
    onError: (error, operation) => {
      // The gate query runs again after each sign-out, and its page shows the error.
      if (operation.context.isGate) return;
      const isUnauthenticated = error.graphQLErrors.some(
        ({ extensions }) => extensions.code === 'unauthenticated',
      );
      if (isUnauthenticated || error.response?.status === 401) onSignedOut();
    },
  });
}

/**
 * Mutations that need an idempotency key besides those that create an object, because they must not be executed
 * twice either.
 */
const otherKeyedMutations = new Set([
  'assignTransfer',
  'returnTransfer',
  'simulateTransfer',
  'skipSubscriptionPayment',
  'splitTransfer',
]);

/**
 * Sends mutations that must not be executed twice with an Idempotency-Key. If the outcome is unknown, a repeated
 * mutation uses the same key, so that nothing is created twice. After the known outcome of any mutation, it gets a new
 * key, because a later mutation may have reverted it: the stored response would then report a change that is not made.
 */
export function idempotencyExchange(): Exchange {
  const unansweredKeys = new Map<number, string>();
  return mapExchange({
    onOperation: (operation) => {
      if (operation.kind !== 'mutation' || !needsIdempotencyKey(operation)) return operation;
      const key = unansweredKeys.get(operation.key) ?? randomKey();
      return withHeaders(operation, { 'idempotency-key': key }, { idempotencyKey: key });
    },
    onResult: ({ operation, data, error }) => {
      if (operation.kind !== 'mutation') return;
      const { idempotencyKey } = operation.context as { idempotencyKey?: string };
      if (!hasUnknownOutcome({ data, error })) unansweredKeys.clear();
      else if (idempotencyKey !== undefined) unansweredKeys.set(operation.key, idempotencyKey);
    },
  });
}

/** Mutations that are sent without an idempotency key, although they create an object. */
const unkeyedMutations = new Set([
  // Keys belong to a merchant, so operators have none, and an email address can have only one account.
  'createMerchant',
  // A replay could show the next customer a sale that is already paid, whereas a second unpaid sale just expires.
  'createCounterSale',
]);

function needsIdempotencyKey({ query }: Operation<unknown, AnyVariables>): boolean {
  const [definition] = query.definitions;
  if (definition?.kind !== 'OperationDefinition') return false;
  const [field] = definition.selectionSet.selections;
  const name = field?.kind === 'Field' ? field.name.value : '';
  return otherKeyedMutations.has(name) || (name.startsWith('create') && !unkeyedMutations.has(name));
}

/** Returns whether the mutation may have been executed without a known result. */
function hasUnknownOutcome({ data, error }: MutationResponse): boolean {
  const [result] = Object.values(data ?? {});
  if (result) return 'code' in result && result.code === 'idempotency_in_progress';
  const codes = error?.graphQLErrors.map(({ extensions }) => extensions.code) ?? [];
  return codes.length === 0 || codes.some((code) => code === 'unavailable' || code === 'internal_error');
}
