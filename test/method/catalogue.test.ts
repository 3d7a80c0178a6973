import { readdir, readFile } from 'node:fs/promises';
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { isCurrencyCode } from '../../src/kit/currency.ts';
import { isMethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { schemes } from '../../src/method/schemes.ts';

test('the methods are the thirteen of the interface, in its order', () => {
  expect(methodCodes).toEqual([
    'fps',
    'hk-bank-transfer',
    'paynow',
    'viettel-pay',
    'duit-now',
    'instapay',
    'prompt-pay',
    'in-bank-transfer',
    'gojek-id',
    'id-bank-transfer',
    'au-bank-transfer',
    'nz-bank-transfer',
    'toss',
  ]);
  expect(Object.keys(paymentMethods)).toEqual(methodCodes);
  expect(Object.keys(schemes)).toEqual(methodCodes);
});

test('a method is known by its wire word alone', () => {
  for (const code of methodCodes) expect(isMethodCode(code)).toBe(true);
  for (const text of ['FPS', 'hk_bank_transfer', '', 'constructor', '__proto__'])
    expect(isMethodCode(text)).toBe(false);
});

describe.each(Object.values(paymentMethods))('$code', (method) => {
  test('speaks of a country, its currency and its calling code', () => {
    const country = method.country;
    if (!isSupportedCountry(country)) throw new Error(`unknown country ${country}`);
    expect(method.callingCode).toBe(`+${getCountryCallingCode(country)}`);
    expect(isCurrencyCode(method.currency)).toBe(true);
    expect(method.currency.slice(0, 2)).toBe(country);
  });

  test('is paid in whole units exactly in rupiah, dong and won', () => {
    expect(method.payableUnit).toBe(['IDR', 'VND', 'KRW'].includes(method.currency) ? 'whole' : 'minor');
  });

  test('has limits in its currency, from one payable unit', () => {
    expect(method.min.currency).toBe(method.currency);
    expect(method.max.currency).toBe(method.currency);
    expect(method.min.minor).toBe(method.currency === 'IDR' ? 100n : 1n);
    expect(method.max.minor).toBeGreaterThan(method.min.minor);
    expect(method.max.minor % method.min.minor).toBe(0n);
  });

  test('waits half an hour for an instant payment and a day for a bank transfer', () => {
    expect(method.windowMinutes).toBe(method.code.endsWith('bank-transfer') ? 1440 : 30);
  });

  test('has an icon that is a small picture and nothing else', async () => {
    expect(method.icon).toBe(`/icons/methods/${method.code}.svg`);
    const file = new URL(`../../src/method/icons/${method.code}.svg`, import.meta.url);
    const svg = await readFile(file, 'utf8');
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="48" height="48" viewBox="0 0 48 48">/,
    );
    expect(svg).toContain(`<title>${method.name}</title>`);
    expect(svg).not.toMatch(/<script|<image|<use|href|on\w+=|url\(/i);
    expect(svg.length).toBeLessThan(2000);
  });
});

test('there is an icon for each method and no other', async () => {
  const files = await readdir(new URL('../../src/method/icons/', import.meta.url));
  expect(files.sort()).toEqual(methodCodes.map((code) => `${code}.svg`).sort());
});

test('the largest payments are those the schemes allow', () => {
  const majors = Object.values(paymentMethods).map(({ code, max, currency }) => {
    const digits = ['VND', 'KRW'].includes(currency) ? 0 : 2;
    return [code, Number(max.minor) / 10 ** digits];
  });
  expect(Object.fromEntries(majors)).toEqual({
    fps: 1_000_000,
    'hk-bank-transfer': 10_000_000,
    paynow: 200_000,
    'viettel-pay': 499_999_999,
    'duit-now': 50_000,
    instapay: 50_000,
    'prompt-pay': 50_000,
    'in-bank-transfer': 100_000,
    'gojek-id': 10_000_000,
    'id-bank-transfer': 250_000_000,
    'au-bank-transfer': 25_000,
    'nz-bank-transfer': 9_999_999,
    toss: 2_000_000,
  });
});
