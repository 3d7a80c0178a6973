import { LRUCache } from 'lru-cache';
import { type Notice, parseNotices } from '../event/notice.ts';
import type { Db, Tx } from '../kit/db.ts';
import { getIdType, type IdType } from '../kit/id.ts';
import { type Hub, wildcardTopic } from './hub.ts';

/** Caches rows that every request needs and that rarely change, such as merchants and API keys. */
export type ReadCache = {
  /**
   * Returns the cached value, or reads it. Concurrent callers share one read; reads inside a transaction bypass the
   * cache.
   */
  find<T>(tx: Tx, query: CachedQuery<T>): Promise<T>;
  /**
   * Invalidates the objects of a notice before the database delivers it back, so that the process that
   * changed them never reads stale values.
   */
  invalidate(payload: string): void;
};

export type CachedQuery<T> = {
  /** The cache key. */
  name: string;
  read: (prisma: Tx) => Promise<T>;
  /** Returns the topic that invalidates the value, a merchant's ID or `ratesTopic`; undefined prevents caching. */
  getTopic: (value: T) => string | undefined;
};

/** The topic of exchange rates, which is also their object ID in notices. */
export const ratesTopic = 'rates';

/** The object types that are cached. Database triggers notify every process of changes to their rows. */
const cachedTypes: ReadonlySet<IdType | undefined> = new Set<IdType>([
  'merchant',
  'apiKey',
  'receivingAccount',
]);

/** Limits how long values stay stale after the connection for notices was lost without an error. */
const ageMsMax = 5_000;
const entriesMax = 10_000;

/** Creates a cache for reads with `prisma`. The cache is bypassed while the process receives no notices. */
export function createReadCache({ prisma }: Pick<Db, 'prisma'>, hub: Hub): ReadCache {
  const entries = new LRUCache<string, { value: unknown; topic: string }>({ max: entriesMax, ttl: ageMsMax });
  const pendingReads = new Map<string, Promise<unknown>>();
  let invalidations = 0;
  const invalidateTopic = (topic: string | undefined): void => {
    invalidations++;
    pendingReads.clear();
    for (const [name, entry] of entries) if (entry.topic === topic) entries.delete(name);
  };
  const handleNotice = (notice: Notice): void => {
    if (notice.objectId === ratesTopic) invalidateTopic(ratesTopic);
    else if (cachedTypes.has(getIdType(notice.objectId))) invalidateTopic(notice.merchantId);
  };
  hub.subscribe(wildcardTopic, (notice) => {
    if (notice) return handleNotice(notice);
    invalidations++;
    pendingReads.clear();
    entries.clear();
  });
  const readAndCache = async <T>({ name, read, getTopic }: CachedQuery<T>): Promise<T> => {
    const invalidationsBefore = invalidations;
    const value = await read(prisma);
    const topic = getTopic(value);
    // A value read before a concurrent invalidation may be stale, so it is not cached.
    if (topic !== undefined && invalidationsBefore === invalidations) entries.set(name, { value, topic });
    return value;
  };
  return {
    async find<T>(tx: Tx, query: CachedQuery<T>): Promise<T> {
      if (tx !== prisma) return query.read(tx);
      const { name } = query;
      const cached = hub.isConnected() ? entries.get(name) : undefined;
      if (cached) return cached.value as T;
      const pending = pendingReads.get(name);
      if (pending) return pending as Promise<T>;
      const started = readAndCache(query).finally(() => {
        if (pendingReads.get(name) === started) pendingReads.delete(name);
      });
      pendingReads.set(name, started);
      return started;
    },
    invalidate(payload) {
      for (const notice of parseNotices(payload)) if (notice) handleNotice(notice);
    },
  };
}
