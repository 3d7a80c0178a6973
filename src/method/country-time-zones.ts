import type { MethodCountry } from './catalog.ts';

/** The time zone of each country. Of several zones, it is the one with the most people. */
export const countryTimeZones: Record<MethodCountry, string> = {
  HK: 'Asia/Hong_Kong',
  SG: 'Asia/Singapore',
  VN: 'Asia/Ho_Chi_Minh',
  MY: 'Asia/Kuala_Lumpur',
  PH: 'Asia/Manila',
  TH: 'Asia/Bangkok',
  IN: 'Asia/Kolkata',
  ID: 'Asia/Jakarta',
  AU: 'Australia/Sydney',
  NZ: 'Pacific/Auckland',
  KR: 'Asia/Seoul',
};

/** Returns the country of a time zone, or null. An old name, such as Asia/Saigon, is the same zone. */
export function findTimeZoneCountry(timeZone: string): string | null {
  const zone = toCanonicalZone(timeZone);
  const entry = Object.entries(countryTimeZones).find(([, name]) => toCanonicalZone(name) === zone);
  return entry?.[0] ?? null;
}

function toCanonicalZone(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}
