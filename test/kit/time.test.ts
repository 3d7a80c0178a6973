import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import { type MerchantTime, type SystemTime, systemClock } from '../../src/kit/clock.ts';
import { getDayStart, getNextDay } from '../../src/kit/day-start.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { toInstant, toLocalTime } from '../../src/kit/local-time.ts';
import { toLocalDate } from '../../src/kit/time-zone.ts';
import { count } from '../setup/counts.ts';

test('The compiler rejects the time of one clock in place of the other', () => {
  const machine: SystemTime = systemClock.now();
  const merchant: MerchantTime = merchantNow(machine, { testClockOffsetMs: BigInt(minuteMs) }, 'sandbox');
  // @ts-expect-error: a message would be dated by the test clock.
  const wrongMachine: SystemTime = merchant;
  // @ts-expect-error: a charge would ignore the test clock.
  const wrongMerchant: MerchantTime = machine;
  expect(wrongMachine.getTime() - wrongMerchant.getTime()).toBe(minuteMs);
});

describe('Days of a time zone', () => {
  test.each([
    ['Asia/Hong_Kong', '2026-11-21', '2026-11-20T16:00:00.000Z', 24],
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z', 24],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z', 24],
    ['Pacific/Pago_Pago', '2026-11-21', '2026-11-21T11:00:00.000Z', 24],
    // Daylight saving time begins and ends in Australia and New Zealand.
    ['Australia/Sydney', '2026-10-04', '2026-10-03T14:00:00.000Z', 23],
    ['Australia/Sydney', '2027-04-04', '2027-04-03T13:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    ['Pacific/Auckland', '2026-09-27', '2026-09-26T12:00:00.000Z', 23],
    // In these time zones midnight is skipped or repeated.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00.000Z', 24],
  ])('%s: %s begins at %s and lasts %d hours', (timeZone, day, start, hours) => {
    expect(getDayStart(day, timeZone).toISOString()).toBe(start);
    expect(getDayStart(getNextDay(day), timeZone).getTime() - Date.parse(start)).toBe(hours * 3_600_000);
  });

  test('include the day after the last of a month or year', () => {
    expect(getNextDay('2026-12-31')).toBe('2027-01-01');
    expect(getNextDay('2028-02-28')).toBe('2028-02-29');
  });
});

describe('Local times', () => {
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

  test('keep milliseconds', () => {
    expect(toLocalTime(new Date('2026-11-17T18:00:00.5Z'), 'Asia/Kolkata')).toBe('2026-11-17T23:30:00.500');
    expect(toLocalTime(new Date('2026-04-04T15:30:00Z'), 'Australia/Sydney')).toBe('2026-04-05T02:30:00.000');
    expect(toLocalTime(new Date('2026-04-04T16:30:00Z'), 'Australia/Sydney')).toBe('2026-04-05T02:30:00.000');
  });

  test('around a clock change are read as the same instant, or the earlier of two', () => {
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
        const instant = new Date(Date.parse(change!) + minute * minuteMs);
        const read = toInstant(toLocalTime(instant, zone!), zone!);
        expect(toLocalTime(read, zone!)).toBe(toLocalTime(instant, zone!));
        expect(read.getTime()).toBeLessThanOrEqual(instant.getTime());
      }),
      { numRuns: count(500, 20_000) },
    );
  });
});

test('The date of an instant depends on the time zone', () => {
  const instant = new Date('2026-11-17T16:30:00Z');
  expect(toLocalDate(instant, 'Asia/Hong_Kong')).toBe('2026-11-18');
  expect(toLocalDate(instant, 'UTC')).toBe('2026-11-17');
});
