import type { Tx } from '../../kit/db.ts';
import type { CachedQuery } from '../../live/read-cache.ts';
import type { Service } from './service.ts';

/** Reads inside a transaction bypass the cache, so a transaction has no `reads`. */
export type CachedReader = { prisma: Tx } & Pick<Service, 'reads'>;

/** Reads rarely changing data from the process cache if there is one, else from the database. */
export function readCached<T>({ prisma, reads }: CachedReader, query: CachedQuery<T>): Promise<T> {
  return reads ? reads.find(prisma, query) : query.read(prisma);
}
