import { afterEach, expect, test } from 'vitest';
import { formatDay, formatMoment, shownTimeZone, showTimesIn } from '../../src/dashboard/format/moment.ts';

afterEach(() => showTimesIn('UTC'));

test('times are told by the clock that is shown', () => {
  showTimesIn('Pacific/Auckland');
  expect(formatMoment('2026-01-31T12:00:00Z', 'day')).toMatch(/Feb/);
  showTimesIn('America/New_York');
  expect(formatMoment('2026-02-01T03:00:00Z', 'day')).toMatch(/Jan/);
});

test('days are those of the clock that is shown, and are written as days of the calendar', () => {
  showTimesIn('Pacific/Auckland');
  expect(shownTimeZone()).toBe('Pacific/Auckland');
  expect(formatDay('2026-11-01')).toMatch(/Nov 1|1 Nov/);
  showTimesIn('UTC');
  expect(shownTimeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});
