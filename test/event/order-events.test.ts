import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderEvents } from '../../src/event/order-events.ts';

const event = (id: string, objectId: string, objectVersion: number) => ({ id, objectId, objectVersion });

test('events are in the order of their ids', () => {
  const events = [event('ev_3', 'b', 1), event('ev_1', 'a', 1), event('ev_2', 'c', 1)];
  expect(orderEvents(events).map(({ id }) => id)).toEqual(['ev_1', 'ev_2', 'ev_3']);
});

test('a later event of an object waits for the earlier one, though its id is lower', () => {
  const events = [event('ev_1', 'a', 3), event('ev_2', 'b', 1), event('ev_4', 'a', 2), event('ev_5', 'b', 2)];
  expect(orderEvents(events).map(({ id }) => id)).toEqual(['ev_2', 'ev_4', 'ev_1', 'ev_5']);
});

test('none overtakes an earlier one of its object, none is lost, whatever the clocks said', () => {
  const events = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([object, version]) => `${object} ${version}`,
    })
    .chain((objects) =>
      fc
        .shuffledSubarray(
          objects.map((_, i) => `ev_${String(i).padStart(3, '0')}`),
          { minLength: objects.length },
        )
        .map((ids) => objects.map(([object, version], i) => event(ids[i]!, `o${object}`, version))),
    );
  fc.assert(
    fc.property(events, (given) => {
      const ordered = orderEvents(given);
      expect(ordered.map(({ id }) => id).sort()).toEqual(given.map(({ id }) => id).sort());
      for (const ofObject of Map.groupBy(ordered, ({ objectId }) => objectId).values()) {
        const versions = ofObject.map(({ objectVersion }) => objectVersion);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 500 },
  );
});
