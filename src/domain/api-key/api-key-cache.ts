import type { ApiKey, Merchant } from '../../../prisma/client/client.ts';
import { parseNotices } from '../../event/notice.ts';
import type { Db } from '../../kit/db.ts';
import { nounOfId } from '../../kit/id.ts';
import { sharingFlights } from '../../kit/share-flight.ts';
import { everyNotice, type Hub } from '../../live/hub.ts';

export type KeyWithMerchant = ApiKey & { merchant: Merchant };

/** The keys that are in use, kept by this process so that a request need not ask for its key. */
export type ApiKeyCache = {
  find(key: string): Promise<KeyWithMerchant | null>;
  /** Forgets what a notice tells of, before it comes back from the database: the change's own process is never late. */
  forget(notice: string): void;
};

/** Notices tell of every change (see the triggers); this bounds what a connection that died silently could cost. */
const ageMsMax = 5_000;
/** Merchants' servers use few keys; beyond this many those used least lately are read again. */
const keysMax = 10_000;

/** Reads a key with its merchant; those who ask at once share the reading. */
export const readApiKey = sharingFlights((prisma: Db['prisma'], key) =>
  prisma.apiKey.findUnique({ where: { key }, include: { merchant: true } }),
);

/**
 * Keeps keys with their merchants until a notice says that either changed: that of the change itself in this process,
 * the database's in all others. While the process hears no notices, every key is read.
 */
export function createApiKeyCache({ prisma }: Pick<Db, 'prisma'>, hub: Hub): ApiKeyCache {
  const known = new Map<string, { row: KeyWithMerchant; readAt: number }>();
  let forgotten = 0;
  const forget = (objectId: string): void => {
    const noun = nounOfId(objectId);
    if (noun !== 'apiKey' && noun !== 'merchant') return;
    forgotten++;
    for (const [key, { row }] of known) {
      if (row.id === objectId || row.merchantId === objectId) known.delete(key);
    }
  };
  hub.subscribe(everyNotice, (notice) => {
    if (notice) return forget(notice.objectId);
    forgotten++;
    known.clear();
  });
  const readAndKeep = async (key: string): Promise<KeyWithMerchant | null> => {
    const before = forgotten;
    const row = await readApiKey(prisma, key);
    // What was read may be from before a change that was told meanwhile.
    if (row && before === forgotten) known.set(key, { row, readAt: performance.now() });
    if (known.size > keysMax) known.delete(known.keys().next().value as string);
    return row;
  };
  return {
    forget(notice) {
      forget(parseNotices(notice)[0]!.objectId);
    },
    async find(key) {
      const kept = known.get(key);
      const isFresh = kept && hub.isCurrent() && performance.now() - kept.readAt < ageMsMax;
      return isFresh ? kept.row : readAndKeep(key);
    },
  };
}
