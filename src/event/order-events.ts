type OrderableEvent = { id: string; objectId: string; objectVersion: number };

/**
 * Sorts events by ID, and thus by time, but never before an earlier event of the same object. A later event may
 * have a lower ID, because the clocks of processes differ.
 */
export function orderEvents<E extends OrderableEvent>(events: readonly E[]): E[] {
  const sortable = Map.groupBy(events, (event) => event.objectId)
    .values()
    .flatMap((objectEvents) => {
      let sortId = '';
      return objectEvents
        .toSorted((a, b) => a.objectVersion - b.objectVersion)
        .map((event) => {
          if (event.id > sortId) sortId = event.id;
          return { event, sortId };
        });
    });
  return [...sortable]
    .sort((a, b) =>
      a.sortId === b.sortId ? a.event.objectVersion - b.event.objectVersion : a.sortId < b.sortId ? -1 : 1,
    )
    .map(({ event }) => event);
}
