import pg from 'pg';
import { noticeChannel, parseNotices } from '../event/notice.ts';
import type { Hub } from './hub.ts';

const reconnectMsMin = 100;
const reconnectMsMax = 5_000;

export type Listener = { stop: () => Promise<void> };

/**
 * Listens on a connection of its own and publishes into the hub. When the connection was away, every subscriber is
 * woken after it is back, so that no update is lost. Resolves once it listens.
 */
export async function listen(
  connectionString: string,
  hub: Hub,
  onError: (error: Error) => void,
): Promise<Listener> {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let delayMs = reconnectMsMin;
  let stopped = false;

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString, application_name: 'causeway listen', keepAlive: true });
    fresh.on('error', onError);
    fresh.on('end', () => {
      if (!stopped && client === fresh) reconnect();
    });
    fresh.on('notification', ({ payload }) => {
      for (const notice of parseNotices(payload ?? '')) hub.publish(notice);
    });
    await fresh.connect();
    await fresh.query(`LISTEN ${noticeChannel}`);
    client = fresh;
    delayMs = reconnectMsMin;
  };

  const reconnect = (): void => {
    client = undefined;
    hub.lose();
    retry = setTimeout(() => {
      delayMs = Math.min(delayMs * 2, reconnectMsMax);
      connect().then(
        () => hub.resync(),
        (error: Error) => {
          onError(error);
          if (!stopped) reconnect();
        },
      );
    }, delayMs);
  };

  await connect();
  hub.resync();
  return {
    async stop() {
      stopped = true;
      hub.lose();
      clearTimeout(retry);
      await client?.end();
    },
  };
}
