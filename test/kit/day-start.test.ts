import { describe, expect, test } from 'vitest';
import { dayStart, nextDay } from '../../src/kit/day-start.ts';

describe('the days of a time zone', () => {
  test.each([
    ['Asia/Hong_Kong', '2026-11-21', '2026-11-20T16:00:00.000Z', 24],
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z', 24],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z', 24],
    ['Pacific/Pago_Pago', '2026-11-21', '2026-11-21T11:00:00.000Z', 24],
    // The clocks go forward in Australia and New Zealand, and back again.
    ['Australia/Sydney', '2026-10-04', '2026-10-03T14:00:00.000Z', 23],
    ['Australia/Sydney', '2027-04-04', '2027-04-03T13:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    ['Pacific/Auckland', '2026-09-27', '2026-09-26T12:00:00.000Z', 23],
    // There midnight is skipped, or comes twice.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00.000Z', 24],
  ])('%s: %s begins at %s and lasts %d hours', (timeZone, day, start, hours) => {
    expect(dayStart(day, timeZone).toISOString()).toBe(start);
    expect(dayStart(nextDay(day), timeZone).getTime() - Date.parse(start)).toBe(hours * 3_600_000);
  });

  test('the day after the last of a month or of a year', () => {
    expect(nextDay('2026-12-31')).toBe('2027-01-01');
    expect(nextDay('2028-02-28')).toBe('2028-02-29');
  });
});
