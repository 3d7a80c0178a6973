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
import { type Connection, lastingStream, liveState, retryMs, type Sink } from './lasting-stream.ts';
import { randomKey } from './random-key.ts';
import { reauthenticationExchange } from './reauthentication.ts';
import type { Answered } from './refusal.ts';
import { fetchHearingTime } from './server-clock.ts';
import { forShownViewer, isStillShown, shownViewer, showViewer } from './shown-viewer.ts';
import { withHeaders } from './with-headers.ts';

export type Mode = 'live' | 'sandbox';

/** What a client calls. */
export type Handlers = {
  onSignedOut: () => void;
  onConnection: (connection: Connection) => void;
  onRightsChanged: () => void;
};

/** `close` ends the live updates; how their connection ended has been told already. */
export type DashboardClient = { client: Client; close: () => void };

/** Close codes of the server: the credentials are missing or wrong, or do not allow it. */
const finalCloseCodes = new Set([4401, 4403]);

/** Whether the server has closed the socket for good. */
function isFinal(closed: unknown): boolean {
  return finalCloseCodes.has((closed as CloseEvent).code);
}

/**
 * A client for one mode: nothing of the other can be in its cache. Requests carry the session's cookie by themselves;
 * `onSignedOut` is called when it no longer counts, `onRightsChanged` when the user may do something else than before.
 */
export function createDashboardClient(options: { mode: Mode } & Handlers): DashboardClient {
  const { mode } = options;
  showViewer(undefined);
  let isClosed = false;
  // What ends after this client is left tells nothing of the one that follows it.
  const onSignedOut = () => {
    if (!isClosed) options.onSignedOut();
  };
  const onConnection = (connection: Connection) => {
    if (!isClosed) options.onConnection(connection);
  };
  const onRightsChanged = () => {
    if (!isClosed) options.onRightsChanged();
  };
  const live = liveState(onConnection);
  const socket = openSocket(mode, { onSignedOut, live });
  const client: Client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch: fetchHearingTime,
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
            unsubscribe: lastingStream(socket, { query, variables }, sink as Sink, {
              live,
              isFinal,
              onRightsChanged,
            }),
          }),
        }),
      }),
      attemptsExchange(),
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
  { onSignedOut, live }: Pick<Handlers, 'onSignedOut'> & { live: ReturnType<typeof liveState> },
): SocketClient {
  return createSocketClient({
    url: socketAddress(),
    connectionParams: () => ({ mode, viewer: shownViewer() }),
    lazy: true,
    lazyCloseTimeout: 2_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (retries) => delay(retryMs(retries)),
    shouldRetry: (event) => !isFinal(event),
    on: {
      connected: () => live.regain('socket'),
      closed: (event) => {
        if (isFinal(event)) onSignedOut();
        else if ((event as CloseEvent).code !== 1000) live.lose('socket');
      },
    },
  });
}

function socketAddress(): string {
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
    onOperation: forShownViewer,
    onResult: ({ data, operation }) => {
      if (!data || isClosed()) return;
      // Whoever signs out everywhere reads of nobody next.
      const isGone = operation.context.isGate ? !isStillShown(data.viewer?.user.id) : data.viewer === null;
      if (isGone) onSignedOut();
    },
    onError: (error, operation) => {
      // Who is signed in is asked anew after each sign-out: that this is refused is for its page to show.
      if (operation.context.isGate) return;
      const isRefused = error.graphQLErrors.some(({ extensions }) => extensions.code === 'unauthenticated');
      if (isRefused || error.response?.status === 401) onSignedOut();
    },
  });
}

/** Besides those that create something: what would move money, or send something, once more. */
const onceToo = new Set(['assignTransfer', 'returnTransfer', 'simulateTransfer', 'splitTransfer']);

/**
 * Sends what makes something with an Idempotency-Key, and again with the same one where no answer came: it may have been
 * made all the same, and is not made twice then. With an answer, to this or to anything done later, that is over: the
 * same again is meant as another.
 */
export function attemptsExchange(): Exchange {
  const unanswered = new Map<number, string>();
  return mapExchange({
    onOperation: (operation) => {
      if (operation.kind !== 'mutation' || !makesSomething(operation)) return operation;
      const key = unanswered.get(operation.key) ?? randomKey();
      return withHeaders(operation, { 'idempotency-key': key }, { idempotencyKey: key });
    },
    onResult: ({ operation, data, error }) => {
      if (operation.kind !== 'mutation') return;
      const { idempotencyKey } = operation.context as { idempotencyKey?: string };
      if (!isUnanswered({ data, error })) unanswered.clear();
      else if (idempotencyKey !== undefined) unanswered.set(operation.key, idempotencyKey);
    },
  });
}

/** Operators act for no merchant, whose keys these are: that an e-mail has one account keeps merchants from being two. */
function makesSomething({ query }: Operation<unknown, AnyVariables>): boolean {
  const [definition] = query.definitions;
  if (definition?.kind !== 'OperationDefinition') return false;
  const [field] = definition.selectionSet.selections;
  const name = field?.kind === 'Field' ? field.name.value : '';
  return onceToo.has(name) || (name.startsWith('create') && name !== 'createMerchant');
}

/** Whether it is unknown what came of it. */
function isUnanswered({ data, error }: Answered): boolean {
  const [answer] = Object.values(data ?? {});
  if (answer) return 'code' in answer && answer.code === 'idempotency_in_progress';
  const codes = error?.graphQLErrors.map(({ extensions }) => extensions.code) ?? [];
  return codes.length === 0 || codes.some((code) => code === 'unavailable' || code === 'internal_error');
}
