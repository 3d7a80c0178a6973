import type { LookupFunction } from 'node:net';
import { buildConnector, Client } from 'undici';

/**
 * A connection unused for so long is closed, or sooner where the receiver says so; many servers close theirs after 5 s.
 */
const idleMs = 4_000;

/** For one request at a time. */
export type Connection = { client: Client /** An earlier request went over it. */; isKept: boolean };

export type Connections = {
  /** The one last used of those that are free, or a new one. */
  take(origin: string, options: { fresh: boolean }): Connection;
  /** Keeps it open for another request. */
  give(origin: string, connection: Connection): void;
  close(): void;
};

/**
 * Connections to receivers. Certificates are always verified; there is no HTTP/2, and none of what answers ask for (to
 * follow, to upgrade, to unpack) is done. To connect may take `timeoutMs`, the handshake of TLS included.
 */
export function createConnections(options: { lookup: LookupFunction; timeoutMs: number }): Connections {
  const { lookup, timeoutMs: timeout } = options;
  const connect = buildConnector({ lookup, timeout, rejectUnauthorized: true, allowH2: false });
  const open = new Set<Client>();
  const free = new Map<string, Connection[]>();

  const forget = (origin: string, client: Client): void => {
    open.delete(client);
    const left = free.get(origin)?.filter((connection) => connection.client !== client) ?? [];
    if (left.length > 0) free.set(origin, left);
    else free.delete(origin);
  };
  const openNew = (origin: string): Connection => {
    // Whoever sends keeps the time of a request, from its connection to its last byte.
    const client = new Client(origin, {
      connect,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    open.add(client);
    client.on('disconnect', () => forget(origin, client));
    client.on('connectionError', () => forget(origin, client));
    return { client, isKept: false };
  };
  return {
    take(origin, { fresh }) {
      for (let kept = free.get(origin)?.pop(); kept && !fresh; kept = free.get(origin)?.pop()) {
        // It may have been closed a moment ago.
        if (kept.client.stats.connected) return kept;
      }
      return openNew(origin);
    },
    give(origin, { client }) {
      free.set(origin, [...(free.get(origin) ?? []), { client, isKept: true }]);
    },
    close() {
      for (const client of open) client.destroy().catch(() => {});
    },
  };
}
