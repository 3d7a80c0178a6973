import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  addMonths,
  isDay,
  isWholeMonth,
  lastOfMonth,
  nextDay,
  today,
} from '../../src/dashboard/format/days.ts';
import {
  formatDay,
  formatMoment,
  getDisplayTimeZone,
  getRateFormat,
  parseFieldTime,
  setDisplayTimeZone,
  startOfDay,
  toFieldTime,
} from '../../src/dashboard/format/moment.ts';
import { getTimeZoneOptions } from '../../src/dashboard/format/time-zones.ts';
import { serverNow, syncServerClock } from '../../src/dashboard/graphql/server-clock.ts';

afterEach(() => {
  setDisplayTimeZone('UTC');
  syncServerClock(new Date().toUTCString());
});

test('times are told by the clock that is shown', () => {
  setDisplayTimeZone('Pacific/Auckland');
  expect(formatMoment('2026-01-31T12:00:00Z', 'day')).toMatch(/Feb/);
  setDisplayTimeZone('America/New_York');
  expect(formatMoment('2026-02-01T03:00:00Z', 'day')).toMatch(/Jan/);
});

test('days are those of the clock that is shown, and are written as days of the calendar', () => {
  // Where it is still the day before when a day begins in UTC.
  setDisplayTimeZone('America/New_York');
  expect(getDisplayTimeZone()).toBe('America/New_York');
  expect(formatDay('2026-11-01')).toMatch(/^(Nov 1|1 Nov)$/);
});

test('where no clock was chosen it is that of whoever looks', () => {
  const remake = () => {
    setDisplayTimeZone('America/New_York');
    setDisplayTimeZone('UTC');
  };
  onTestFinished(() => {
    vi.unstubAllEnvs();
    remake();
  });
  vi.stubEnv('TZ', 'Pacific/Auckland');
  remake();
  expect(getDisplayTimeZone()).toBe('Pacific/Auckland');
  expect(formatMoment('2026-01-31T12:00:00Z', 'day')).toMatch(/Feb/);
});

test('a day of the calendar is that day by every clock', () => {
  const days = ['America/New_York', 'Pacific/Auckland'].map((zone) => {
    setDisplayTimeZone(zone);
    return formatMoment('2026-02-01T00:00:00.000Z', 'date');
  });
  expect(days).toEqual(['Feb 1, 2026', 'Feb 1, 2026']);
  expect(getRateFormat('2026-02-01T00:00:00.000Z')).toBe('date');
  expect(getRateFormat('2026-02-01T09:30:00.000Z')).toBe('day');
});

test('fields of date and time speak of the clock that is shown', () => {
  setDisplayTimeZone('Pacific/Auckland');
  const time = new Date('2026-11-21T11:45:00Z');
  expect(toFieldTime(time)).toBe('2026-11-22T00:45');
  expect(parseFieldTime('2026-11-22T00:45')).toEqual(time);
  setDisplayTimeZone('America/New_York');
  expect(parseFieldTime(toFieldTime(time))).toEqual(time);
  expect(parseFieldTime('')).toBeNull();
  expect(parseFieldTime('soon')).toBeNull();
});

test('the time is the server’s, whatever clock the browser has', () => {
  syncServerClock(new Date(Date.now() + 3_600_000).toUTCString());
  expect(Math.abs(serverNow().getTime() - Date.now() - 3_600_000)).toBeLessThan(10_000);
  syncServerClock('yesterday');
  syncServerClock(null);
  expect(serverNow().getTime()).toBeGreaterThan(Date.now() + 3_000_000);
});

test('a time of today is told without its day: of the day that it is by the server’s clock', () => {
  setDisplayTimeZone('Asia/Hong_Kong');
  syncServerClock('Thu, 09 Jan 2031 12:00:00 GMT');
  expect(formatMoment('2031-01-09T11:00:00Z')).not.toMatch(/Jan/);
  expect(formatMoment('2031-01-08T11:00:00Z')).toMatch(/Jan/);
});

test('a time zone is among the choices by the name it was chosen by', () => {
  for (const zone of ['Asia/Ho_Chi_Minh', 'Asia/Saigon', 'Asia/Kolkata', 'Asia/Calcutta']) {
    expect(getTimeZoneOptions(zone).filter(({ value }) => value === zone)).toHaveLength(1);
  }
  const usual = { value: 'Asia/Ho_Chi_Minh', label: 'As the method’s country' };
  const options = getTimeZoneOptions('Asia/Ho_Chi_Minh', usual);
  expect(options.filter(({ value }) => value === usual.value)).toEqual([usual]);
  expect(options[0]).toBe(usual);
});

test('a day begins by the clock that is shown, and it is today by the server’s', () => {
  setDisplayTimeZone('Asia/Hong_Kong');
  expect(startOfDay('2026-11-21')?.toISOString()).toBe('2026-11-20T16:00:00.000Z');
  syncServerClock('Sat, 21 Nov 2026 23:30:00 GMT');
  expect(today('Asia/Hong_Kong')).toBe('2026-11-22');
  expect(today('America/New_York')).toBe('2026-11-21');
});

test('days and months of the calendar follow one another', () => {
  expect(nextDay('2028-02-28')).toBe('2028-02-29');
  expect(nextDay('2026-12-31')).toBe('2027-01-01');
  expect(lastOfMonth('2026-02-10')).toBe('2026-02-28');
  expect(addMonths('2026-11-21', 2)).toBe('2027-01-01');
  expect(addMonths('2026-01-31', -1)).toBe('2025-12-01');
  expect([isWholeMonth('2026-02-01', '2026-02-28'), isWholeMonth('2026-02-01', '2026-02-27')]).toEqual([
    true,
    false,
  ]);
  expect(['2026-02-28', '2026-13-01', 'soon', null].map(isDay)).toEqual([true, false, false, false]);
});
