import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmptyLine, parseOrderLines } from '../../src/dashboard/components/order-line.ts';
import { toFieldAmount } from '../../src/dashboard/format/amount.ts';
import { parseAmount, parseRate } from '../../src/dashboard/format/parse-number.ts';
import { formatRateDeviation } from '../../src/dashboard/pages/operator/format-rate-deviation.ts';
import { decimalToMinor, toDecimal } from '../../src/kit/money.ts';
import { paymentMethods } from '../../src/method/catalogue.ts';

/** What people write into the dashboard's fields, and what the API is given for it. */

test.each([
  ['150.000', 'VND', '150000'],
  ['25,000', 'KRW', '25000'],
  ['17.900', 'IDR', '17900'],
  ['1,128.50', 'HKD', '1128.50'],
  ['1.128,50', 'EUR', '1128.50'],
  [' 1 128.50 ', 'HKD', '1128.50'],
  ['1’128.50', 'EUR', '1128.50'],
  ['250,000', 'HKD', '250000'],
  ['1,234,567.8', 'HKD', '1234567.8'],
  ['1.234.567', 'EUR', '1234567'],
  ['1,50,000', 'INR', '150000'],
  ['12,50', 'EUR', '12.50'],
  ['0,500', 'HKD', '0.500'],
  ['1500.000', 'HKD', '1500.000'],
  ['1.500', 'KWD', '1.500'],
  ['1,500', 'KWD', '1500'],
])('%s %s is %s', (written, currency, sent) => {
  expect(parseAmount(written, currency, 'en')).toBe(sent);
});

test.each([
  ['1.500', 'EUR', 'en', 'Ambiguous: did you mean 1500.00 or 1.50?'],
  ['1.128', 'EUR', 'en', 'Did you mean 1128.00? EUR has 2 decimal places'],
  ['1,500', 'HKD', 'de', 'Ambiguous: did you mean 1500.00 or 1.50?'],
  ['1,500', 'KWD', 'de-CH', 'Ambiguous: did you mean 1500.000 or 1.500?'],
])('%s %s is refused to a reader of %s: %s', (written, currency, locale, said) => {
  expect(() => parseAmount(written, currency, locale)).toThrow(said);
});

test.each(['a lot', '1,50,00', '1.500,00.0', '1.', ',5', 'HKD 1.500'])(
  '%s is no amount in the API either',
  (written) => {
    expect(decimalToMinor(parseAmount(written, 'HKD', 'en'), 'HKD')).toBeUndefined();
  },
);

const currencies = [...Object.values(paymentMethods).map(({ currency }) => currency), 'EUR', 'INR', 'KWD'];

test('an amount as it stands in a field, or as the reader’s language writes it, is that amount', () => {
  const locales = ['en', 'en-HK', 'en-IN', 'de', 'de-CH', 'fr', 'vi', 'id', 'ko'];
  const minors = fc.bigInt({ min: 0n, max: 10n ** 14n });
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.constantFrom(...locales),
      minors,
      (currency, locale, minor) => {
        const decimal = toDecimal({ minor, currency });
        const read = (text: string) => decimalToMinor(parseAmount(text, currency, locale), currency);
        expect(read(toFieldAmount(decimal, currency))).toBe(minor);
        const digits = decimal.split('.')[1]?.length ?? 0;
        const written = new Intl.NumberFormat(locale, { minimumFractionDigits: digits });
        expect(read(written.format(decimal as Intl.StringNumericLiteral))).toBe(minor);
      },
    ),
  );
});

test('a rate has any number of decimals; a comma before three digits could be either mark', () => {
  const written = ['9.2001', '9,2001', '9.200', '17,900.5', '17.900,5', '17900'];
  expect(written.map(parseRate)).toEqual(['9.2001', '9.2001', '9.200', '17900.5', '17900.5', '17900']);
  expect(() => parseRate('17,900')).toThrow('Ambiguous: did you mean 17900 or 17.900?');
});

test('a rate far from the one that counts is told of', () => {
  const asked = ['17900', '9000', '17.9', '0', 'x'].map((rate) => formatRateDeviation(rate, '17950.5'));
  const rare = 'The current rate, 17950.5, is 1,000 times this.';
  expect(asked).toEqual([undefined, undefined, rare, undefined, undefined]);
  expect(formatRateDeviation('40000', '17950.5')).toMatch(/^This is 2\.23 times the current rate/);
});

test('the lines of an order take quantities with marks between thousands, and refuse what is not a whole number', () => {
  const line = { ...createEmptyLine(0), name: 'Beads', quantity: '1,000', amount: '1.128,50' };
  expect(parseOrderLines([line], 'EUR')).toEqual([{ name: 'Beads', quantity: 1000, amount: '1128.50' }]);
  expect(() => parseOrderLines([{ ...line, quantity: '1.5' }], 'EUR')).toThrow(
    expect.objectContaining({ path: 'orders/0/quantity', message: 'Item 1: 1.5 is not a whole number' }),
  );
});
