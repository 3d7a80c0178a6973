import { afterEach, expect, test } from 'vitest';
import { formatMoment, showTimesIn, startOfToday } from '../../src/dashboard/format/moment.ts';

afterEach(() => showTimesIn('UTC'));

test.each([
  ['Asia/Hong_Kong', '2026-11-17T03:00:00.123Z', '2026-11-16T16:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-17T18:29:59.999Z', '2026-11-16T18:30:00.000Z'],
  ['Asia/Kolkata', '2026-11-17T18:30:00.000Z', '2026-11-17T18:30:00.000Z'],
  // Clocks go forward at 2:00 on 27 September 2026, and back at 3:00 on 5 April.
  ['Pacific/Auckland', '2026-09-26T22:00:00.000Z', '2026-09-26T12:00:00.000Z'],
  ['Pacific/Auckland', '2026-04-04T22:00:00.000Z', '2026-04-04T11:00:00.000Z'],
])('the day of %s at %s began at %s', (zone, now, start) => {
  showTimesIn(zone);
  expect(startOfToday(new Date(now))).toBe(start);
});

test('times are told by the clock that is shown', () => {
  showTimesIn('Pacific/Auckland');
  expect(formatMoment('2026-01-31T12:00:00Z', 'day')).toMatch(/Feb/);
  showTimesIn('America/New_York');
  expect(formatMoment('2026-02-01T03:00:00Z', 'day')).toMatch(/Jan/);
});
