import type { Tx } from '../../kit/db.ts';
import type { CachedQuery } from '../../live/read-cache.ts';
import type { Service } from './service.ts';

/**
 * A database client with the read cache of the process. A transaction has no `reads`, because its reads must
 * bypass the cache.
 */
export type CachedReader = { prisma: Tx } & Pick<Service, 'reads'>;

/**
 * Reads data that rarely changes from the cache of the process, if there is one, and otherwise from the
 * database.
 */
export function readCached<T>({ prisma, reads }: CachedReader, query: CachedQuery<T>): Promise<T> {
  return reads ? reads.find(prisma, query) : query.read(prisma);
}
