import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { isCurrencyCode } from '../../src/kit/currency.ts';
import { Decimal } from '../../src/kit/decimal.ts';
import { decimalToMinor, type Money, toDecimal } from '../../src/kit/money.ts';
import { isMethodCode, type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import { createDestination } from '../../src/method/destination.ts';
import { toPayableAmount } from '../../src/method/payable-amount.ts';
import { getScheme, schemes } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyText } from './any-text.ts';
import { catchDomainError, parseFields } from './read-code.ts';

function parseMoney(text: string): Money {
  const [amount = '', currency = ''] = text.split(' ');
  const minor = decimalToMinor(amount, currency);
  if (minor === undefined) throw new Error(`no amount: ${text}`);
  return { minor, currency };
}

function pay(method: MethodCode, amount: string, rate: string): string {
  const payable = toPayableAmount(parseMoney(amount), new Decimal(rate), paymentMethods[method]);
  return `${toDecimal(payable)} ${payable.currency}`;
}

const rupees = { minor: 49_900n, currency: 'INR' };

const vpa = { vpa: 'shop.1@okbank' };

test('the payment methods are those of the interface, in its order', () => {
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

test('isMethodCode accepts only the codes of the interface', () => {
  for (const code of methodCodes) expect(isMethodCode(code)).toBe(true);
  for (const text of ['FPS', 'hk_bank_transfer', '', 'constructor', '__proto__'])
    expect(isMethodCode(text)).toBe(false);
});

describe.each(Object.values(paymentMethods))('$code', (method) => {
  test('has the currency and the calling code of its country', () => {
    const country = method.country;
    if (!isSupportedCountry(country)) throw new Error(`unknown country ${country}`);
    expect(method.callingCode).toBe(`+${getCountryCallingCode(country)}`);
    expect(isCurrencyCode(method.currency)).toBe(true);
    expect(method.currency.slice(0, 2)).toBe(country);
  });

  test('is paid in whole units only in rupiah, dong and won', () => {
    expect(method.payableUnit).toBe(['IDR', 'VND', 'KRW'].includes(method.currency) ? 'whole' : 'minor');
  });

  test('has limits in its currency, from one payable unit', () => {
    expect(method.min.currency).toBe(method.currency);
    expect(method.max.currency).toBe(method.currency);
    expect(method.min.minor).toBe(method.currency === 'IDR' ? 100n : 1n);
    expect(method.max.minor).toBeGreaterThan(method.min.minor);
    expect(method.max.minor % method.min.minor).toBe(0n);
  });

  test('has a payment window of half an hour, or a day for bank transfers', () => {
    expect(method.paymentWindowMinutes).toBe(method.code.endsWith('bank-transfer') ? 1440 : 30);
  });

  test('has a small icon without scripts and links', async () => {
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

test('each method has an icon, and there are no others', async () => {
  const files = await readdir(new URL('../../src/method/icons/', import.meta.url));
  expect(files.sort()).toEqual(methodCodes.map((code) => `${code}.svg`).sort());
});

test('the maximum amounts are those of the schemes', () => {
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

describe('the customer amount', () => {
  test.each<[MethodCode, string, string, string]>([
    ['fps', '100.00 USD', '7.8123', '781.23 HKD'],
    ['fps', '100.00 HKD', '1', '100.00 HKD'],
    ['fps', '0.01 USD', '1.5', '0.02 HKD'],
    ['fps', '0.01 USD', '1.4999999', '0.01 HKD'],
    ['fps', '1.00 USD', '7.825', '7.83 HKD'],
    ['fps', '1.00 USD', '7.8249999', '7.82 HKD'],
    // 1.005 is slightly less in binary.
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
  ])('of %s for %s at the rate %s is %s', (method, amount, rate, expected) => {
    expect(pay(method, amount, rate)).toBe(expected);
  });

  test('is exact for any amount and rate, compared with integer arithmetic', () => {
    const currencies = fc.constantFrom<[string, number]>(['USD', 2], ['JPY', 0], ['KWD', 3]);
    const rates = fc.tuple(fc.bigInt(1n, 9_999_999_999n), fc.integer({ min: 0, max: 12 }));
    let payableCount = 0;
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
          const convert = () => toPayableAmount({ minor, currency }, rate, method);
          if (expected === 0n || expected > method.max.minor) {
            expect(catchDomainError(convert).code).toBe('amount_out_of_range');
          } else {
            expect(convert()).toEqual({ minor: expected, currency: method.currency });
            payableCount++;
          }
        },
      ),
      { numRuns: count(2_000, 20_000) },
    );
    expect(payableCount).toBeGreaterThan(500);
  });
});

describe('payableAmount', () => {
  test.each<[string, MethodCode, string, string]>([
    ['an amount that rounds to zero', 'fps', '0.01 USD', '0.4999'],
    ['an amount that rounds to zero rupiah', 'gojek-id', '0.49 IDR', '1'],
    ['a cent above the maximum of the method', 'duit-now', '50000.01 MYR', '1'],
    ['an amount that rounds to more than the maximum', 'duit-now', '50000.00 USD', '1.0000001'],
  ])('rejects %s', (_, method, amount, rate) => {
    const error = catchDomainError(() => pay(method, amount, rate));
    expect(error).toMatchObject({ code: 'amount_out_of_range', status: 422 });
    expect(error.message).toContain(paymentMethods[method].name);
  });

  test('accepts the minimum and the maximum', () => {
    for (const code of methodCodes) {
      const { min, max } = paymentMethods[code];
      for (const limit of [min, max])
        expect(toPayableAmount(limit, new Decimal(1), paymentMethods[code])).toEqual(limit);
    }
  });

  test('uses the limits of the merchant in place of the defaults', () => {
    const limits = { min: parseMoney('10.00 HKD'), max: parseMoney('2000000.00 HKD') };
    const method = { ...paymentMethods.fps, ...limits };
    expect(
      catchDomainError(() => toPayableAmount(parseMoney('9.99 HKD'), new Decimal(1), method)).message,
    ).toBe('FPS accepts 10.00 to 2000000.00 HKD in one payment; this payment would be 9.99 HKD');
    expect(toPayableAmount(parseMoney('10.00 HKD'), new Decimal(1), method)).toEqual(parseMoney('10.00 HKD'));
    expect(toPayableAmount(parseMoney('2000000.00 HKD'), new Decimal(1), method)).toEqual(
      parseMoney('2000000.00 HKD'),
    );
  });

  test('rejects an amount that a payment code cannot contain, regardless of the limits', () => {
    const method = { ...paymentMethods.fps, max: { minor: 10n ** 15n, currency: 'HKD' } };
    expect(toPayableAmount(parseMoney('9999999999.99 HKD'), new Decimal(1), method)).toEqual(
      parseMoney('9999999999.99 HKD'),
    );
    expect(
      catchDomainError(() => toPayableAmount(parseMoney('10000000000.00 HKD'), new Decimal(1), method)).code,
    ).toBe('amount_out_of_range');
  });
});

describe('createDestination', () => {
  test('returns the code, the account, the holder, the bank and the payment reference', () => {
    const destination = createDestination({
      method: 'paynow',
      details: { uen: '209900000Z' },
      holder: 'Bánh Mì Pte Ltd',
      amount: { minor: 1250n, currency: 'SGD' },
      paymentReference: 'BREW23456R',
      demo: false,
    });
    expect(destination).toEqual({
      qrCode: expect.stringMatching(/^000201/),
      account: '209900000Z',
      nonce: 'BREW23456R',
      accountName: 'Bánh Mì Pte Ltd',
      bank: 'PayNow',
      rows: [
        { field: 'uen', value: '209900000Z' },
        { field: 'account_name', value: 'Bánh Mì Pte Ltd' },
        { field: 'amount', value: '12.50' },
        { field: 'reference', value: 'BREW23456R' },
      ],
    });
    expect(parseFields(destination.qrCode)).toMatchObject({
      '54': '12.50',
      '59': 'Banh Mi Pte Ltd',
      '62': { '01': 'BREW23456R' },
    });
  });

  test.for([
    ['fps', { mobile: '+85251234567' }, 'mobile', '51234567'],
    ['paynow', { mobile: '+6581234567' }, 'mobile', '81234567'],
    ['prompt-pay', { mobile: '+66812345678' }, 'mobile', '0812345678'],
    ['au-bank-transfer', { mobile: '+61412345678' }, 'pay_id', '0412345678'],
  ] as const)('shows a mobile number as the apps of %s expect it', ([method, details, field, value]) => {
    const { account, rows } = createDestination({
      ...{ method, details, holder: 'Shop', paymentReference: 'BREW23456R', demo: false },
      amount: { minor: 1000n, currency: paymentMethods[method].currency },
    });
    expect(account).toBe(details.mobile);
    expect(rows[0]).toEqual({ field, value });
  });

  test('returns the bank of the input in place of that of the details', () => {
    const input = {
      method: 'in-bank-transfer',
      details: { ...vpa, bank: 'Details Bank' },
      holder: 'Shop',
      amount: rupees,
      paymentReference: 'BREW23456R',
      demo: false,
    } as const;
    expect(createDestination({ ...input, bank: 'Given Bank' }).bank).toBe('Given Bank');
    for (const emptyBank of [undefined, null, ''])
      expect(createDestination({ ...input, bank: emptyBank }).bank).toBe('Details Bank');
  });

  test.each(methodCodes)('returns DEMO in place of the holder for the demo account of %s', (method) => {
    const { currency } = paymentMethods[method];
    const destination = createDestination({
      method,
      details: getScheme(method).demoDetails,
      holder: 'Real Holder',
      amount: { minor: 123_400n, currency },
      paymentReference: 'BREW23456R',
      demo: true,
    });
    expect(destination.account).toMatch(/\S/);
    expect(destination.bank).toMatch(/\S/);
    if (destination.qrCode !== '') expect(destination.qrCode).toMatch(/DEMO/);
    expect(destination.qrCode + (destination.deepLink ?? '')).not.toContain('Real');
    // Destinations are stored as JSON.
    expect(JSON.parse(JSON.stringify(destination))).toEqual(destination);
  });

  test('returns a QR code if there is a standard, and a link if an app accepts one', () => {
    const destinations = Object.fromEntries(
      methodCodes.map((method) => {
        const amount = { minor: 100_000n, currency: paymentMethods[method].currency };
        const details = getScheme(method).demoDetails;
        return [
          method,
          createDestination({
            method,
            details,
            holder: 'x',
            amount,
            paymentReference: 'BREW23456R',
            demo: true,
          }),
        ];
      }),
    );
    expect(methodCodes.filter((method) => destinations[method]?.qrCode === '')).toEqual([
      'hk-bank-transfer',
      'id-bank-transfer',
      'au-bank-transfer',
      'nz-bank-transfer',
    ]);
    expect(methodCodes.filter((method) => destinations[method]?.deepLink !== undefined)).toEqual([
      'in-bank-transfer',
      'toss',
    ]);
  });

  test('creates codes without the payment reference for two methods only', () => {
    expect(
      methodCodes.filter((method) => !getScheme(method).canCarryReference(getScheme(method).demoDetails)),
    ).toEqual(['gojek-id', 'toss']);
  });
});

describe('UPI links', () => {
  const createLink = (details: object, holder: string, demo = false) =>
    createDestination({
      method: 'in-bank-transfer',
      details,
      holder,
      amount: rupees,
      paymentReference: 'BREW23456R',
      demo,
    });

  test('contain payee, name, amount, currency, note and reference, and nothing else', () => {
    const { qrCode, deepLink } = createLink(vpa, 'Tea & Toast = 100%');
    expect(deepLink).toBe(qrCode);
    const url = new URL(qrCode);
    expect(`${url.protocol}//${url.host}${url.pathname}`).toBe('upi://pay');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      pa: 'shop.1@okbank',
      pn: 'Tea & Toast = 100%',
      am: '499.00',
      cu: 'INR',
      tn: 'BREW23456R',
      tr: 'BREW23456R',
    });
    expect(qrCode).toContain('pa=shop.1@okbank&');
    expect(qrCode).not.toContain('+');
  });

  test('pay into an account with an IFSC', () => {
    const url = new URL(
      createLink({ ifsc: 'HDFC0000001', account: '50100012345678', bank: 'HDFC Bank' }, 'Shop').qrCode,
    );
    expect(url.searchParams.get('pa')).toBe('50100012345678@HDFC0000001.ifsc.npci');
  });

  test('have the payee DEMO in a demo', () => {
    expect(new URL(createLink(vpa, 'Shop', true).qrCode).searchParams.get('pn')).toBe('DEMO');
  });

  test('are valid for any name of a holder', () => {
    fc.assert(
      fc.property(anyText(80), (holder) => {
        const { qrCode } = createLink(vpa, holder);
        expect(qrCode).toMatch(/^upi:\/\/pay\?[A-Za-z0-9@&=%.!'()*_~-]+$/);
        const parameters = new URL(qrCode).searchParams;
        expect([...parameters.keys()]).toEqual(['pa', 'pn', 'am', 'cu', 'tn', 'tr']);
        expect(parameters.get('pn')).toMatch(/^[ -~]{1,50}$/);
      }),
      { numRuns: count(500, 5_000) },
    );
  });
});

describe('Toss links', () => {
  const createLink = (demo: boolean) =>
    createDestination({
      method: 'toss',
      details: { bankCode: '092', account: '100012345678', bank: 'Toss Bank' },
      holder: '가게',
      amount: { minor: 15_000n, currency: 'KRW' },
      paymentReference: 'BREW23456R',
      demo,
    });

  test('contain bank, account and whole won', () => {
    const { qrCode, deepLink } = createLink(false);
    expect(deepLink).toBe(qrCode);
    const url = new URL(qrCode);
    expect(`${url.protocol}//${url.host}${url.pathname}`).toBe('supertoss://send');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      amount: '15000',
      bank: '092',
      accountNo: '100012345678',
    });
  });

  test('have the origin DEMO in a demo', () => {
    expect(new URL(createLink(true).qrCode).searchParams.get('origin')).toBe('DEMO');
  });
});
