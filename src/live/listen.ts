import pg from 'pg';
import { noticeChannel, parseNotices } from '../event/notice.ts';
import { listenConnections } from '../kit/connection-names.ts';
import type { Hub } from './hub.ts';

const reconnectMsMin = 100;
const reconnectMsMax = 5_000;
/** How often the server is asked whether it is still there, and how long it may take to answer. */
const beatMsPreset = 10_000;
const answerMsMaxPreset = 5_000;

export type Listener = {
  stop(): Promise<void>;
};

type Connecting = {
  connectionString: string;
  hub: Hub;
  onError: (error: Error) => void;
  /** The connection is gone, once it listened. */
  onLost: () => void;
  beatMs: number;
  answerMsMax: number;
};

/**
 * Listens on a connection of its own and publishes into the hub. When the connection was away, every subscriber is
 * woken after it is back, so that no update is lost. Resolves once it listens.
 */
export async function listen(
  connectionString: string,
  hub: Hub,
  onError: (error: Error) => void,
  { beatMs = beatMsPreset, answerMsMax = answerMsMaxPreset } = {},
): Promise<Listener> {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let delayMs = reconnectMsMin;
  let stopped = false;

  const connect = async (): Promise<void> => {
    const onLost = () => {
      client = undefined;
      hub.lose();
      if (!stopped) reconnect();
    };
    const fresh = await openListening({ connectionString, hub, onError, onLost, beatMs, answerMsMax });
    if (stopped) return fresh.end();
    client = fresh;
    delayMs = reconnectMsMin;
    hub.resync();
  };

  const reconnect = (): void => {
    retry = setTimeout(() => {
      delayMs = Math.min(delayMs * 2, reconnectMsMax);
      connect().catch((error: Error) => {
        onError(error);
        if (!stopped) reconnect();
      });
    }, delayMs);
  };

  await connect();
  return {
    async stop() {
      stopped = true;
      hub.lose();
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/**
 * A connection that hears nothing cannot tell a quiet server from one that vanished without a word (its machine gone, the
 * network cut): so it asks.
 */
async function openListening(options: Connecting): Promise<pg.Client> {
  const { connectionString, hub, onError, onLost, beatMs, answerMsMax } = options;
  const client = new pg.Client({
    connectionString,
    application_name: listenConnections,
    connectionTimeoutMillis: answerMsMax,
    query_timeout: answerMsMax,
  });
  client.on('error', onError);
  client.on('notification', ({ payload = '' }) => {
    for (const notice of parseNotices(payload)) {
      if (notice) hub.publish(notice);
      else hub.resync();
    }
  });
  try {
    await client.connect();
    await client.query(`LISTEN ${noticeChannel}`);
  } catch (error) {
    void client.end();
    throw error;
  }
  const ask = () =>
    client.query('SELECT 1').catch((error: Error) => {
      onError(error);
      lose();
    });
  const beat = setInterval(ask, beatMs);
  let isLost = false;
  const lose = (): void => {
    if (isLost) return;
    isLost = true;
    clearInterval(beat);
    void client.end();
    onLost();
  };
  client.on('end', lose);
  return client;
}
