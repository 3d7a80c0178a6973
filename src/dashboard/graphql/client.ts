import { createClient as createSocketClient, type Client as SocketClient } from 'graphql-ws';
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from 'urql';
import { attemptsExchange } from './attempts.ts';
import { type Connection, lastingStream, liveState, retryMs, type Sink } from './lasting-stream.ts';
import { reauthenticationExchange } from './reauthentication.ts';
import { fetchHearingTime } from './server-clock.ts';
import { sessionExchange } from './session-exchange.ts';
import { shownViewer, showViewer } from './shown-viewer.ts';

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
