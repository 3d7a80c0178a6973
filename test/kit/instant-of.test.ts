import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minuteMs } from '../../src/kit/duration.ts';
import { toInstant, toLocalTime } from '../../src/kit/local-time.ts';
import { count } from '../setup/counts.ts';

test.each([
  ['2026-11-17T23:30:00', 'Asia/Hong_Kong', '2026-11-17T15:30:00.000Z'],
  ['2026-11-17T23:30:00.5', 'Asia/Kolkata', '2026-11-17T18:00:00.500Z'],
  ['2026-01-15T12:00:00', 'Pacific/Auckland', '2026-01-14T23:00:00.000Z'],
  ['2026-07-15T12:00:00', 'Pacific/Auckland', '2026-07-15T00:00:00.000Z'],
  ['2026-11-17T12:00:00', 'UTC', '2026-11-17T12:00:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(toInstant(local, zone).toISOString()).toBe(instant);
});

test.each([
  ['2026-04-05T02:30:00', 'Australia/Sydney', 'repeated', '2026-04-04T15:30:00.000Z'],
  ['2026-04-05T03:00:00', 'Australia/Sydney', 'past', '2026-04-04T17:00:00.000Z'],
  ['2026-10-04T02:30:00', 'Australia/Sydney', 'skipped', '2026-10-03T16:30:00.000Z'],
  ['2026-04-05T02:30:00', 'Pacific/Auckland', 'repeated', '2026-04-04T13:30:00.000Z'],
  ['2026-09-27T02:30:00', 'Pacific/Auckland', 'skipped', '2026-09-26T14:30:00.000Z'],
  ['2026-11-01T01:30:00', 'America/New_York', 'repeated', '2026-11-01T05:30:00.000Z'],
  ['2026-03-08T02:30:00', 'America/New_York', 'skipped', '2026-03-08T07:30:00.000Z'],
])('%s in %s, a time %s by a clock change, has the offset before it: %s', (local, zone, _, instant) => {
  expect(toInstant(local, zone).toISOString()).toBe(instant);
});

test('what clocks show is told to the millisecond', () => {
  expect(toLocalTime(new Date('2026-11-17T18:00:00.5Z'), 'Asia/Kolkata')).toBe('2026-11-17T23:30:00.500');
  expect(toLocalTime(new Date('2026-04-04T15:30:00Z'), 'Australia/Sydney')).toBe('2026-04-05T02:30:00.000');
  expect(toLocalTime(new Date('2026-04-04T16:30:00Z'), 'Australia/Sydney')).toBe('2026-04-05T02:30:00.000');
});

test('what clocks show around a change, read back, is that moment, or the earlier one that they show so', () => {
  const changes = fc.constantFrom(
    ['Australia/Sydney', '2026-04-04T16:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Pacific/Auckland', '2026-09-26T14:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['Europe/London', '2026-10-25T01:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['Asia/Bangkok', '2026-11-17T00:00:00Z'],
  );
  const minutes = fc.integer({ min: -2 * 24 * 60, max: 2 * 24 * 60 });
  fc.assert(
    fc.property(changes, minutes, ([zone, change], minute) => {
      const at = new Date(Date.parse(change!) + minute * minuteMs);
      const read = toInstant(toLocalTime(at, zone!), zone!);
      expect(toLocalTime(read, zone!)).toBe(toLocalTime(at, zone!));
      expect(read.getTime()).toBeLessThanOrEqual(at.getTime());
    }),
    { numRuns: count(500, 20_000) },
  );
});
