type OrderableEvent = { id: string; objectId: string; objectVersion: number };

/**
 * By id, which is by time, except that no event comes before an earlier one of its object: the clocks of processes
 * differ, so a later event of an object may have the lower id.
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
