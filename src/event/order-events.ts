type Ordered = { id: string; objectId: string; objectVersion: number };

/**
 * By id, which is by time, except that no event comes before an earlier one of its object: the clocks of processes
 * differ, so a later event of an object may have the lower id.
 */
export function orderEvents<E extends Ordered>(events: readonly E[]): E[] {
  const places = Map.groupBy(events, (event) => event.objectId)
    .values()
    .flatMap((ofObject) => {
      let after = '';
      return ofObject
        .toSorted((a, b) => a.objectVersion - b.objectVersion)
        .map((event) => {
          if (event.id > after) after = event.id;
          return { event, after };
        });
    });
  return [...places]
    .sort((a, b) =>
      a.after === b.after ? a.event.objectVersion - b.event.objectVersion : a.after < b.after ? -1 : 1,
    )
    .map(({ event }) => event);
}
