import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kit/decimal.ts';
import { decimalToMinor, type Money, toDecimal } from '../../src/kit/money.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { payableAmount } from '../../src/method/payable-amount.ts';
import { count } from '../setup/counts.ts';
import { refusalOf } from './read-code.ts';

function money(text: string): Money {
  const [amount = '', currency = ''] = text.split(' ');
  const minor = decimalToMinor(amount, currency);
  if (minor === undefined) throw new Error(`no amount: ${text}`);
  return { minor, currency };
}

function pay(method: MethodCode, amount: string, rate: string): string {
  const payable = payableAmount(money(amount), new Decimal(rate), paymentMethods[method]);
  return `${toDecimal(payable)} ${payable.currency}`;
}

describe('what the customer pays is amount times rate, rounded half up to what can be paid', () => {
  test.each<[MethodCode, string, string, string]>([
    ['fps', '100.00 USD', '7.8123', '781.23 HKD'],
    ['fps', '100.00 HKD', '1', '100.00 HKD'],
    ['fps', '0.01 USD', '1.5', '0.02 HKD'],
    ['fps', '0.01 USD', '1.4999999', '0.01 HKD'],
    ['fps', '1.00 USD', '7.825', '7.83 HKD'],
    ['fps', '1.00 USD', '7.8249999', '7.82 HKD'],
    // 1.005 is below the half in binary.
    ['paynow', '1.00 USD', '1.005', '1.01 SGD'],
    ['paynow', '1.000 KWD', '4.3675', '4.37 SGD'],
    ['viettel-pay', '1.00 USD', '26345.5', '26346 VND'],
    ['viettel-pay', '1.00 USD', '26345.49999', '26345 VND'],
    ['gojek-id', '1.00 USD', '16650.5', '16651.00 IDR'],
    ['gojek-id', '1.00 USD', '16650.4999', '16650.00 IDR'],
    ['id-bank-transfer', '1000.50 IDR', '1', '1001.00 IDR'],
    ['id-bank-transfer', '1000.49 IDR', '1', '1000.00 IDR'],
    ['toss', '9.99 USD', '1389.123456', '13877 KRW'],
    ['in-bank-transfer', '1200 JPY', '0.5912345678', '709.48 INR'],
    ['nz-bank-transfer', '1 VND', '0.0065', '0.01 NZD'],
  ])('%s: %s × %s = %s', (method, amount, rate, expected) => {
    expect(pay(method, amount, rate)).toBe(expected);
  });

  test('exactly, for any amount and rate, compared with integer arithmetic', () => {
    const currencies = fc.constantFrom<[string, number]>(['USD', 2], ['JPY', 0], ['KWD', 3]);
    const rates = fc.tuple(fc.bigInt(1n, 9_999_999_999n), fc.integer({ min: 0, max: 12 }));
    let counted = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...methodCodes),
        currencies,
        fc.bigInt(1n, 10n ** 12n - 1n),
        rates,
        (code, [currency, digits], minor, [coefficient, scale]) => {
          const method = {
            ...paymentMethods[code],
            max: { minor: 10n ** 12n, currency: paymentMethods[code].currency },
          };
          const [unitDigits, zeros] = {
            whole: [0, code === 'viettel-pay' || code === 'toss' ? 0 : 2],
            minor: [2, 0],
          }[method.payableUnit] as [number, number];
          const numerator = minor * coefficient * 10n ** BigInt(unitDigits);
          const denominator = 10n ** BigInt(scale + digits);
          const expected = ((2n * numerator + denominator) / (2n * denominator)) * 10n ** BigInt(zeros);
          const rate = new Decimal(coefficient.toString()).div(new Decimal(10).pow(scale));
          const act = () => payableAmount({ minor, currency }, rate, method);
          if (expected === 0n || expected > method.max.minor) {
            expect(refusalOf(act).code).toBe('amount_out_of_range');
          } else {
            expect(act()).toEqual({ minor: expected, currency: method.currency });
            counted++;
          }
        },
      ),
      { numRuns: count(2_000, 20_000) },
    );
    expect(counted).toBeGreaterThan(500);
  });
});

describe('an amount that cannot be paid is refused', () => {
  test.each<[string, MethodCode, string, string]>([
    ['zero after rounding', 'fps', '0.01 USD', '0.4999'],
    ['zero rupiah after rounding', 'gojek-id', '0.49 IDR', '1'],
    ['a cent above the method’s largest payment', 'duit-now', '50000.01 MYR', '1'],
    ['rounded up above it', 'duit-now', '50000.00 USD', '1.0000001'],
  ])('%s', (_, method, amount, rate) => {
    const refusal = refusalOf(() => pay(method, amount, rate));
    expect(refusal).toMatchObject({ code: 'amount_out_of_range', status: 422 });
    expect(refusal.message).toContain(paymentMethods[method].name);
  });

  test('the limits themselves can be paid', () => {
    for (const code of methodCodes) {
      const { min, max } = paymentMethods[code];
      for (const limit of [min, max])
        expect(payableAmount(limit, new Decimal(1), paymentMethods[code])).toEqual(limit);
    }
  });

  test('a merchant’s own limits take the place of the default', () => {
    const limits = { min: money('10.00 HKD'), max: money('2000000.00 HKD') };
    const method = { ...paymentMethods.fps, ...limits };
    expect(refusalOf(() => payableAmount(money('9.99 HKD'), new Decimal(1), method)).message).toBe(
      'FPS accepts 10.00 to 2000000.00 HKD in one payment; this payment would be 9.99',
    );
    expect(payableAmount(money('10.00 HKD'), new Decimal(1), method)).toEqual(money('10.00 HKD'));
    expect(payableAmount(money('2000000.00 HKD'), new Decimal(1), method)).toEqual(money('2000000.00 HKD'));
  });

  test('no limit lets an amount through that a payment code cannot hold', () => {
    const method = { ...paymentMethods.fps, max: { minor: 10n ** 15n, currency: 'HKD' } };
    expect(payableAmount(money('9999999999.99 HKD'), new Decimal(1), method)).toEqual(
      money('9999999999.99 HKD'),
    );
    expect(refusalOf(() => payableAmount(money('10000000000.00 HKD'), new Decimal(1), method)).code).toBe(
      'amount_out_of_range',
    );
  });
});
