import { describe, expect, test } from 'vitest';
import { isInFuture, parsePaidAt } from '../../../src/domain/money-in/transfer/parse-items.ts';

const hongKong = { timeZone: 'Asia/Hong_Kong' };
/** 01:00 of the 21st in Hong Kong. */
const now = new Date('2026-11-20T17:00:00Z');

describe('paidAt', () => {
  test.each([
    ['2026-11-20T08:15:00Z', '2026-11-20T08:15:00.000Z', false],
    ['2026-11-20T16:15:00.5+08:00', '2026-11-20T08:15:00.500Z', false],
    ['2026-11-20T16:15', '2026-11-20T08:15:00.000Z', false],
    ['2026-11-21', '2026-11-21T00:00:00.000Z', true],
    ['2026-11-20T17:05:00Z', '2026-11-20T17:05:00.000Z', false],
  ])('%s is %s', (text, instant, paidAtIsDate) => {
    expect(parsePaidAt(text, hongKong)).toMatchObject({ paidAt: new Date(instant), paidAtIsDate });
  });

  test.each([
    ['2026-11-20T16:15', '2026-11-20T16:15:00.000'],
    ['2026-11-20T16:15:01.5', '2026-11-20T16:15:01.500'],
    ['2026-11-20T16:15:00+08:00', undefined],
    ['2026-11-20', undefined],
  ])('%s is %s on the bank’s clock', (text, localTime) => {
    expect(parsePaidAt(text, hongKong).localTime).toBe(localTime);
  });

  test.each([
    ['2026-11-22', true],
    ['2026-11-21', false],
    ['2026-11-20T17:05:01Z', true],
    ['2026-11-20T17:05:00Z', false],
  ])('%s is in the future: %s', (text, expected) => {
    expect(isInFuture(parsePaidAt(text, hongKong), hongKong, now)).toBe(expected);
  });

  test.each(['2026-02-30', '2026-11-20 08:15', 'Friday', '', '2026-11-20T25:00:00Z', '2026-11-20T25:00:00'])(
    '%s is refused',
    (text) => {
      expect(() => parsePaidAt(text, hongKong)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    },
  );
});
