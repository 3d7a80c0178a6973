import { expect, test } from 'vitest';
import { bankLists, getBankName } from '../../src/method/banks.ts';

/** The form of the codes in each list. */
const codePatterns: Record<keyof typeof bankLists, RegExp> = {
  HK: /^\d{3}$/,
  ID: /^\d{3}$/,
  KR: /^\d{3}$/,
  VN: /^\d{6}$/,
  PH: /^[A-Z]{4}PH[A-Z0-9]{2}$/,
  IN: /^[A-Z]{4}$/,
};

test.for(Object.keys(codePatterns) as (keyof typeof bankLists)[])(
  'the banks of %s have distinct codes of the right form, and names',
  (country) => {
    const lines = bankLists[country].split('\n');
    const codes = lines.map((line) => line.split(' ')[0] ?? '');
    expect(codes.filter((code) => !codePatterns[country].test(code))).toEqual([]);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.filter((code) => !getBankName(country, code)?.trim())).toEqual([]);
  },
);

test('a bank has the name that apps of its country show, and an unknown code has none', () => {
  expect(getBankName('HK', '004')).toBe('HSBC 滙豐');
  expect(getBankName('ID', '014')).toBe('BCA');
  expect(getBankName('KR', '092')).toBe('토스뱅크');
  expect(getBankName('VN', '970436')).toBe('Vietcombank');
  expect(getBankName('PH', 'GXCHPHM2')).toBe('GCash');
  expect(getBankName('IN', 'SBIN')).toBe('State Bank of India');
  expect(getBankName('KR', '999')).toBeUndefined();
  expect(getBankName('SG', '004')).toBeUndefined();
});
