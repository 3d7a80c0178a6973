import { expect, test } from 'vitest';
import { findTimeZoneCountry } from '../../src/method/country-time-zones.ts';

test('findTimeZoneCountry returns the country of a time zone under its current and its old name', () => {
  const zones = ['Asia/Bangkok', 'Asia/Ho_Chi_Minh', 'Asia/Saigon', 'Asia/Calcutta', 'UTC'];
  expect(zones.map(findTimeZoneCountry)).toEqual(['TH', 'VN', 'VN', 'IN', null]);
});
