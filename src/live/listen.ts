import { noticeChannel, parseNotices } from '../event/notice.ts';
import { listenerApplicationName } from '../kit/application-names.ts';
import { DatabaseClient } from '../kit/database-client.ts';
import type { Hub } from './hub.ts';

const reconnectMsMin = 100;
const reconnectMsMax = 5_000;
/** The interval between heartbeat queries, and the time limit of each. */
const defaultHeartbeatMs = 5_000;
const defaultResponseMsMax = 4_000;

type Listener = {
  stop(): Promise<void>;
};

type ListenConnectionOptions = {
  connectionString: string;
  hub: Hub;
  onError: (error: Error) => void;
  /** Called when an open connection is lost. */
  onLost: () => void;
  heartbeatMs: number;
  responseMsMax: number;
};

/**
 * Listens on a separate connection and publishes notices to the hub. After a reconnect, every subscriber is
 * woken, so that no update is lost. Resolves once the connection listens.
 */
export async function listen(
  connectionString: string,
  hub: Hub,
  onError: (error: Error) => void,
  { heartbeatMs = defaultHeartbeatMs, responseMsMax = defaultResponseMsMax } = {},
): Promise<Listener> {
  let client: DatabaseClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let delayMs = reconnectMsMin;
  let isStopped = false;

  const connect = async (): Promise<void> => {
    const onLost = () => {
      client = undefined;
      hub.markDisconnected();
      if (!isStopped) reconnect();
    };
    const newClient = await openListenClient({
      connectionString,
      hub,
      onError,
      onLost,
      heartbeatMs,
      responseMsMax,
    });
    if (isStopped) return newClient.end();
    client = newClient;
    delayMs = reconnectMsMin;
    hub.resync();
  };

  const reconnect = (): void => {
    retry = setTimeout(() => {
      delayMs = Math.min(delayMs * 2, reconnectMsMax);
      connect().catch((error: Error) => {
        onError(error);
        if (!isStopped) reconnect();
      });
    }, delayMs);
  };

  await connect();
  return {
    async stop() {
      isStopped = true;
      hub.markDisconnected();
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/**
 * Opens a connection with a heartbeat. An idle connection cannot otherwise distinguish a quiet server from
 * one that vanished without closing it.
 */
async function openListenClient(options: ListenConnectionOptions): Promise<DatabaseClient> {
  const { connectionString, hub, onError, onLost, heartbeatMs, responseMsMax } = options;
  const client = new DatabaseClient({
    connectionString,
    application_name: listenerApplicationName,
    connectionTimeoutMillis: responseMsMax,
    query_timeout: responseMsMax,
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
  const ping = () =>
    client.query('SELECT 1').catch((error: Error) => {
      onError(error);
      client.abandon();
    });
  const heartbeat = setInterval(ping, heartbeatMs);
  let isLost = false;
  const handleLoss = (): void => {
    if (isLost) return;
    isLost = true;
    clearInterval(heartbeat);
    onLost();
  };
  client.on('end', handleLoss);
  return client;
}
