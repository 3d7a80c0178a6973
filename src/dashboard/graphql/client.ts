import { createClient as createSocketClient, type Client as SocketClient } from 'graphql-ws';
import { Client, cacheExchange, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { fetchHearingTime } from './server-clock.ts';

export type Mode = 'live' | 'sandbox';

/** What tells whether live updates arrive. */
export type Connection = 'open' | 'lost';

type Handlers = { onSignedOut: () => void; onConnection: (connection: Connection) => void };

/** `close` ends the live updates; how their connection ended has been told already. */
export type DashboardClient = { client: Client; close: () => void };

/** Close codes of the server: the credentials are missing or wrong, or do not allow it. */
const finalCloseCodes = new Set([4401, 4403]);
const retryMsMax = 10_000;

/**
 * A client for one mode: nothing of the other can be in its cache. Requests carry the session's cookie by themselves;
 * `onSignedOut` is called when it no longer counts.
 */
export function createDashboardClient(options: { mode: Mode } & Handlers): DashboardClient {
  const { mode } = options;
  let isClosed = false;
  // What ends after this client is left tells nothing of the one that follows it.
  const onSignedOut = () => {
    if (!isClosed) options.onSignedOut();
  };
  const onConnection = (connection: Connection) => {
    if (!isClosed) options.onConnection(connection);
  };
  const socket = openSocket(mode, { onSignedOut, onConnection });
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch: fetchHearingTime,
    fetchOptions: { credentials: 'same-origin', headers: { 'causeway-mode': mode } },
    exchanges: [
      mapExchange({
        onResult: ({ data, operation }) => {
          // Whoever signs out everywhere reads of nobody next.
          if (!operation.context.isGate && data?.viewer === null) onSignedOut();
        },
        onError: (error, operation) => {
          // Who is signed in is asked anew after each sign-out: that this is refused is for its page to show.
          if (operation.context.isGate) return;
          const isRefused = error.graphQLErrors.some(
            ({ extensions }) => extensions.code === 'unauthenticated',
          );
          if (isRefused || error.response?.status === 401) onSignedOut();
        },
      }),
      cacheExchange,
      subscriptionExchange({ forwardSubscription: (request) => overSocket(socket, request) }),
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
function openSocket(mode: Mode, { onSignedOut, onConnection }: Handlers): SocketClient {
  return createSocketClient({
    url: socketAddress(),
    connectionParams: { mode },
    lazy: true,
    lazyCloseTimeout: 2_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (retries) => delay(Math.min(500 * 2 ** retries, retryMsMax) * (0.75 + Math.random() / 2)),
    shouldRetry: (event) => !finalCloseCodes.has((event as CloseEvent).code),
    on: {
      connected: () => onConnection('open'),
      closed: (event) => {
        const { code } = event as CloseEvent;
        if (finalCloseCodes.has(code)) onSignedOut();
        else if (code !== 1000) onConnection('lost');
      },
    },
  });
}

function socketAddress(): string {
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/graphql`;
}

function overSocket(
  socket: SocketClient,
  { query = '', variables }: { query?: string | undefined; variables?: Record<string, unknown> | undefined },
) {
  return {
    subscribe: (sink: {
      next: (value: never) => void;
      error: (error: unknown) => void;
      complete: () => void;
    }) => ({
      unsubscribe: socket.subscribe(
        { query, variables: variables ?? {} },
        { next: (value) => sink.next(value as never), error: sink.error, complete: sink.complete },
      ),
    }),
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
