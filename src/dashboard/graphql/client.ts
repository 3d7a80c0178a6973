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
  resilientSubscription,
  type StreamSink,
} from './resilient-subscription.ts';
import { fetchAndSyncClock } from './server-clock.ts';
import { withHeaders } from './with-headers.ts';

export type Mode = 'live' | 'sandbox';

/** What a client calls. */
export type ClientHandlers = {
  onSignedOut: () => void;
  onConnection: (connection: LiveConnectionState) => void;
  onRightsChanged: () => void;
};

/** `close` ends the live updates; how their connection ended has been told already. */
export type DashboardClient = { client: Client; close: () => void };

/** Close codes of the server: the credentials are missing or wrong, or do not allow it. */
const finalCloseCodes = new Set([4401, 4403]);

/** Whether the server has closed the socket for good. */
function isFinal(event: unknown): boolean {
  return finalCloseCodes.has((event as CloseEvent).code);
}

/**
 * A client for one mode: nothing of the other can be in its cache. Requests carry the session's cookie by themselves;
 * `onSignedOut` is called when it no longer counts, `onRightsChanged` when the user may do something else than before.
 */
export function createDashboardClient(options: { mode: Mode } & ClientHandlers): DashboardClient {
  const { mode } = options;
  setPageViewer(undefined);
  let isClosed = false;
  // What ends after this client is left tells nothing of the one that follows it.
  const onSignedOut = () => {
    if (!isClosed) options.onSignedOut();
  };
  const onConnection = (connection: LiveConnectionState) => {
    if (!isClosed) options.onConnection(connection);
  };
  const onRightsChanged = () => {
    if (!isClosed) options.onRightsChanged();
  };
  const live = createLiveState(onConnection);
  const socket = openSocket(mode, { onSignedOut, live });
  const client: Client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch: fetchAndSyncClock,
    // Queries and mutations are answered as plain JSON, the quickest way of the server.
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
              live,
              isFinal,
              onRightsChanged,
            }),
          }),
        }),
      }),
      idempotencyExchange(),
      fetchExchange,
    ],
  });
  const close = () => {
    isClosed = true;
    void Promise.resolve(socket.dispose()).catch(() => {});
  };
  return { client, close };
}

/** Connects when something is first listened to, and again whenever the connection breaks. */
function openSocket(
  mode: Mode,
  { onSignedOut, live }: Pick<ClientHandlers, 'onSignedOut'> & { live: ReturnType<typeof createLiveState> },
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
      connected: () => live.markRestored('socket'),
      closed: (event) => {
        if (isFinal(event)) onSignedOut();
        else if ((event as CloseEvent).code !== 1000) live.markLost('socket');
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

/** Asks for whom the page shows, and hears from the answers when that is nobody any more, or somebody else. */
export function sessionExchange(options: { onSignedOut: () => void; isClosed: () => boolean }): Exchange {
  const { onSignedOut, isClosed } = options;
  return mapExchange({
    onOperation: withPageViewer,
    onResult: ({ data, operation }) => {
      if (!data || isClosed()) return;
      // Whoever signs out everywhere reads of nobody next.
      const isSignedOut = operation.context.isGate
        ? !acceptViewer(data.viewer?.user.id)
        : data.viewer === null;
      if (isSignedOut) onSignedOut();
    },
    onError: (error, operation) => {
      // Who is signed in is asked anew after each sign-out: that this is refused is for its page to show.
      if (operation.context.isGate) return;
      const isUnauthenticated = error.graphQLErrors.some(
        ({ extensions }) => extensions.code === 'unauthenticated',
      );
      if (isUnauthenticated || error.response?.status === 401) onSignedOut();
    },
  });
}

/** Besides those that create something: what would move money, or send something, once more. */
const otherKeyedMutations = new Set([
  'assignTransfer',
  'returnTransfer',
  'simulateTransfer',
  'splitTransfer',
]);

/**
 * Sends what makes something with an Idempotency-Key, and again with the same one where no answer came: it may have been
 * made all the same, and is not made twice then. With an answer, to this or to anything done later, that is over: the
 * same again is meant as another.
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

/** Operators act for no merchant, whose keys these are: that an e-mail has one account keeps merchants from being two. */
function needsIdempotencyKey({ query }: Operation<unknown, AnyVariables>): boolean {
  const [definition] = query.definitions;
  if (definition?.kind !== 'OperationDefinition') return false;
  const [field] = definition.selectionSet.selections;
  const name = field?.kind === 'Field' ? field.name.value : '';
  return otherKeyedMutations.has(name) || (name.startsWith('create') && name !== 'createMerchant');
}

/** Whether it is unknown what came of it. */
function hasUnknownOutcome({ data, error }: MutationResponse): boolean {
  const [result] = Object.values(data ?? {});
  if (result) return 'code' in result && result.code === 'idempotency_in_progress';
  const codes = error?.graphQLErrors.map(({ extensions }) => extensions.code) ?? [];
  return codes.length === 0 || codes.some((code) => code === 'unavailable' || code === 'internal_error');
}
