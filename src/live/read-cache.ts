import { LRUCache } from 'lru-cache';
import { type Notice, parseNotices } from '../event/notice.ts';
import type { Db, Tx } from '../kit/db.ts';
import { getIdNoun, type IdNoun } from '../kit/id.ts';
import { type Hub, wildcardTopic } from './hub.ts';

/** Reads that every request needs and whose rows hardly ever change, kept by this process until they do. */
export type ReadCache = {
  /**
   * What `read` answers, or has answered. `name` says what is asked; `topicOf` by whose changes it is forgotten: a
   * merchant's id, or `ratesTopic`. Those who ask at once share the reading. A transaction reads for itself.
   */
  find<T>(tx: Tx, query: CachedQuery<T>): Promise<T>;
  /** Forgets what a notice tells of before it comes back from the database: the change's own process is never late. */
  invalidate(payload: string): void;
};

export type CachedQuery<T> = {
  name: string;
  read: (prisma: Tx) => Promise<T>;
  getTopic: (value: T) => string | undefined;
};

/** Topic, and name in notices, of the exchange rates of the installation. */
export const ratesTopic = 'rates';

/** The nouns whose rows are kept; the database tells every process of their changes, see the triggers. */
const cachedNouns: ReadonlySet<IdNoun | undefined> = new Set<IdNoun>([
  'merchant',
  'apiKey',
  'receivingAccount',
]);

/** Notices tell of every change; this bounds what a connection that died silently could cost. */
const ageMsMax = 5_000;
const entriesMax = 10_000;

/** A cache for what is read with `prisma`. While the process hears no notices, everything is read. */
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
    else if (cachedNouns.has(getIdNoun(notice.objectId))) invalidateTopic(notice.merchantId);
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
    // What was read may be from before a change that was told meanwhile.
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
