import { expect, test } from 'vitest';
import { instantOf } from '../../src/kit/instant-of.ts';
import { localDate } from '../../src/kit/time-zone.ts';

test.each([
  ['2026-11-17T23:30:00', 'Asia/Hong_Kong', '2026-11-17T15:30:00.000Z'],
  ['2026-11-17T23:30:00.5', 'Asia/Kolkata', '2026-11-17T18:00:00.500Z'],
  ['2026-01-15T12:00:00', 'Pacific/Auckland', '2026-01-14T23:00:00.000Z'],
  ['2026-07-15T12:00:00', 'Pacific/Auckland', '2026-07-15T00:00:00.000Z'],
  ['2026-11-17T12:00:00', 'UTC', '2026-11-17T12:00:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(instantOf(local, zone).toISOString()).toBe(instant);
});

test('the date of a moment depends on where one is', () => {
  const at = new Date('2026-11-17T16:30:00Z');
  expect(localDate(at, 'Asia/Hong_Kong')).toBe('2026-11-18');
  expect(localDate(at, 'UTC')).toBe('2026-11-17');
});
