import { expect, test } from 'vitest';
import { Decimal } from '../../src/kit/decimal.ts';
import {
  amountText,
  fill,
  fillText,
  maskEmail,
  maskPhone,
  plainAmount,
  rateText,
} from '../../src/pages/format.ts';
import { renderToString } from '../../src/pages/html.ts';
import { type PageI18n, resolveI18n } from '../../src/pages/i18n.ts';

const reader = (header: string): PageI18n => resolveI18n(header, undefined);

test.each<[string, bigint, string, string, string]>([
  ['en-HK', 12_850n, 'HKD', '$128.50 HKD', '128.50'],
  ['en-IN', 10_000_000n, 'INR', '₹1,00,000.00 INR', '100000.00'],
  ['en', 25_000_000n, 'IDR', 'Rp 250,000 IDR', '250000'],
  ['en', 25_000_050n, 'IDR', 'Rp 250,000.50 IDR', '250000.50'],
  ['en', 1_000n, 'VND', '₫1,000 VND', '1000'],
  ['en', 1_500n, 'BHD', 'BHD 1.500 BHD', '1.500'],
  // Beyond what a binary float holds exactly.
  ['en', 99_999_999_999_999n, 'HKD', '$999,999,999,999.99 HKD', '999999999999.99'],
])('for %s, %s minor units of %s are written exactly', (tag, minor, currency, shown, plain) => {
  const money = { minor, currency };
  expect(amountText(reader(tag), money)).toBe(shown);
  expect(plainAmount(money)).toBe(plain);
});

test('a rate is shown as people read it, whatever its size', () => {
  expect(rateText(reader('en'), new Decimal('7.849914676'))).toBe('7.84991');
  expect(rateText(reader('en'), new Decimal('0.00003269042'))).toBe('0.0000326904');
  expect(rateText(reader('en'), new Decimal('16229.522'))).toBe('16,229.5');
});

test('words in braces are filled in, and none may be forgotten', () => {
  expect(fillText('Pay {amount} to {merchant}', { amount: '$1', merchant: 'T' })).toBe('Pay $1 to T');
  expect(renderToString(fill('Pay {merchant}', { merchant: '<b>' }))).toBe('Pay &lt;b&gt;');
  expect(() => fillText('Pay {amount}', {})).toThrow('{amount}');
});

test('details are masked beyond recognition by others', () => {
  expect(maskEmail('mei@example.com')).toBe('m•••@example.com');
  expect(maskEmail('𝓜ei@example.com')).toBe('𝓜•••@example.com');
  expect(maskPhone('+85251234567')).toBe('•••• 67');
});

test('the browser says who reads; nonsense in its header does no harm', () => {
  expect(reader('en-AU,en;q=0.9')).toMatchObject({ code: 'en', locale: 'en-AU', regions: ['AU'] });
  expect(reader('ko-KR, en-SG;q=0.4, fr;q=0')).toMatchObject({
    code: 'en',
    locale: 'en-SG',
    regions: ['KR', 'SG'],
  });
  for (const nonsense of ['', '*', 'x-klingon', ';;;,q=', 'en-u-nu-thai-x-"><', '1'.repeat(5_000)]) {
    expect(amountText(reader(nonsense), { minor: 100n, currency: 'HKD' })).toBe('$1.00 HKD');
  }
  expect(resolveI18n('en', '__proto__').code).toBe('en');
});
