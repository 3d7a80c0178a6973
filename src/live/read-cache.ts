import { LRUCache } from 'lru-cache';
import { type Notice, parseNotices } from '../event/notice.ts';
import type { Db, Tx } from '../kit/db.ts';
import { type IdNoun, nounOfId } from '../kit/id.ts';
import { everyNotice, type Hub } from './hub.ts';

/** Reads that every request needs and whose rows hardly ever change, kept by this process until they do. */
export type ReadCache = {
  /**
   * What `read` answers, or has answered. `name` says what is asked; `topicOf` by whose changes it is forgotten: a
   * merchant's id, or `ratesTopic`. Those who ask at once share the reading. A transaction reads for itself.
   */
  find<T>(asker: Tx, query: Query<T>): Promise<T>;
  /** Forgets what a notice tells of before it comes back from the database: the change's own process is never late. */
  forget(notice: string): void;
};

export type Query<T> = {
  name: string;
  read: (prisma: Tx) => Promise<T>;
  topicOf: (value: T) => string | undefined;
};

/** Topic, and name in notices, of the exchange rates of the installation. */
export const ratesTopic = 'rates';

/** The nouns whose rows are kept; the database tells every process of their changes, see the triggers. */
const keptNouns: ReadonlySet<IdNoun | undefined> = new Set<IdNoun>([
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
  const flights = new Map<string, Promise<unknown>>();
  let changes = 0;
  const forgetTopic = (topic: string | undefined): void => {
    changes++;
    flights.clear();
    for (const [name, entry] of entries) if (entry.topic === topic) entries.delete(name);
  };
  const hear = (notice: Notice): void => {
    if (notice.objectId === ratesTopic) forgetTopic(ratesTopic);
    else if (keptNouns.has(nounOfId(notice.objectId))) forgetTopic(notice.merchantId);
  };
  hub.subscribe(everyNotice, (notice) => {
    if (notice) return hear(notice);
    changes++;
    flights.clear();
    entries.clear();
  });
  const readAndKeep = async <T>({ name, read, topicOf }: Query<T>): Promise<T> => {
    const before = changes;
    const value = await read(prisma);
    const topic = topicOf(value);
    // What was read may be from before a change that was told meanwhile.
    if (topic !== undefined && before === changes) entries.set(name, { value, topic });
    return value;
  };
  return {
    async find<T>(asker: Tx, query: Query<T>): Promise<T> {
      if (asker !== prisma) return query.read(asker);
      const { name } = query;
      const cached = hub.isCurrent() ? entries.get(name) : undefined;
      if (cached) return cached.value as T;
      const flight = flights.get(name);
      if (flight) return flight as Promise<T>;
      const begun = readAndKeep(query).finally(() => {
        if (flights.get(name) === begun) flights.delete(name);
      });
      flights.set(name, begun);
      return begun;
    },
    forget(notice) {
      for (const one of parseNotices(notice)) if (one) hear(one);
    },
  };
}
