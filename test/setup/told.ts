import type { Service } from '../../src/domain/platform/service.ts';

/** The messages of the events that told of an object, or of all of a merchant's, in their order. */
export async function told(
  service: Service,
  where: { objectId: string } | { merchantId: string },
): Promise<string[]> {
  // Ids are in the order of time, which a clock that jumps does not keep; an object counts its versions.
  const byVersion = { objectVersion: 'asc' } as const;
  const byId = { id: 'asc' } as const;
  const orderBy = 'objectId' in where ? [byVersion, byId] : byId;
  const events = await service.prisma.event.findMany({ where, orderBy });
  return events.map(({ type: message }) => message);
}
