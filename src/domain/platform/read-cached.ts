import type { Tx } from '../../kit/db.ts';
import type { CachedQuery } from '../../live/read-cache.ts';
import type { Service } from './service.ts';

/** What keeps reads, where anything is kept; a transaction reads for itself. */
export type CachedReader = { prisma: Tx } & Pick<Service, 'reads'>;

/** Reads what hardly ever changes: from what the process keeps, where it keeps anything. */
export function readCached<T>({ prisma, reads }: CachedReader, query: CachedQuery<T>): Promise<T> {
  return reads ? reads.find(prisma, query) : query.read(prisma);
}
