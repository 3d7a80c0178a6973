import fc from 'fast-check';
import { encode, tag, validate, withCrcTag } from 'promptparse';
import { describe, expect, test } from 'vitest';
import type { Money } from '../../src/kit/money.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { toAsciiText } from '../../src/method/emv.ts';
import { getScheme, schemes } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyReference } from './any-reference.ts';
import { createCode, toMoney } from './create-code.ts';
import { expectOthersAgree, parseComparable, parseFields } from './read-code.ts';
import { vectors } from './vectors.ts';

const anyDigits = (min: number, max = min) => fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`));

const anyLetters = (max: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{1,${max}}$`));

const email = fc.stringMatching(/^[a-z0-9_+]{1,20}$/).map((name) => `${name}@example.com`);

/** Static codes by another library, with any values in the fields that acquirers choose. */
function anyStaticQrCode(
  template: [string, [string, fc.Arbitrary<string>][]][],
  currency: string,
  country: string,
) {
  const toField = ([id, innerFields]: (typeof template)[number]) =>
    fc
      .tuple(...innerFields.map(([innerId, value]) => value.map((text) => tag(innerId, text))))
      .map((fields) => tag(id, encode(fields)));
  const anyPrintable = (max: number) => fc.stringMatching(new RegExp(`^[!-~]{1,${max}}$`));
  const additional = fc.option(
    anyLetters(25).map((terminal) => tag('62', encode([tag('07', terminal)]))),
    { nil: undefined },
  );
  return fc
    .tuple(fc.tuple(...template.map(toField)), anyPrintable(25), anyPrintable(15), additional, fc.boolean())
    .map(([templates, name, city, additionalData, hasPoint]) =>
      withCrcTag(
        encode([
          tag('00', '01'),
          ...(hasPoint ? [tag('01', '11')] : []),
          ...templates,
          tag('52', '5999'),
          tag('53', currency),
          tag('58', country),
          tag('59', name),
          tag('60', city),
          ...(additionalData ? [additionalData] : []),
        ]),
        '63',
      ),
    );
}

const companyUen = anyDigits(9).map((text) => {
  const sum = [10, 8, 6, 4, 9, 7, 5, 3, 1].reduce((total, weight, i) => total + weight * Number(text[i]), 0);
  return `${text}${'ZKCMDNERGWH'[sum % 11]}`;
});

const thaiTaxId = anyDigits(12).map((text) => {
  const sum = [...text].reduce((total, digit, i) => total + Number(digit) * (13 - i), 0);
  return `${text}${(11 - (sum % 11)) % 10}`;
});

/** Every kind of receiving account with an EMV code, and the field of its payment reference. */
const receivers: {
  name: string;
  method: MethodCode;
  details: fc.Arbitrary<object>;
  reference?: [string, string];
}[] = [
  {
    name: 'FPS id',
    method: 'fps',
    details: fc.record({ fpsId: fc.oneof(anyDigits(7), anyDigits(9)) }),
    reference: ['62', '05'],
  },
  {
    name: 'FPS mobile with bank',
    method: 'fps',
    details: fc.record({
      mobile: anyDigits(7).map((lastDigits) => `+8526${lastDigits}`),
      bankCode: anyDigits(3),
    }),
    reference: ['62', '05'],
  },
  { name: 'FPS email', method: 'fps', details: fc.record({ email }), reference: ['62', '05'] },
  { name: 'PayNow UEN', method: 'paynow', details: fc.record({ uen: companyUen }), reference: ['62', '01'] },
  {
    name: 'PayNow mobile',
    method: 'paynow',
    details: fc.record({ mobile: anyDigits(6).map((lastDigits) => `+6591${lastDigits}`) }),
    reference: ['62', '01'],
  },
  {
    name: 'VietQR',
    method: 'viettel-pay',
    details: fc.record({ bin: anyDigits(6), account: anyLetters(19), bank: fc.constant('Viettel Money') }),
    reference: ['62', '08'],
  },
  {
    name: 'DuitNow',
    method: 'duit-now',
    details: fc.record({
      staticQrCode: anyStaticQrCode(
        [
          [
            '26',
            [
              ['00', fc.constant('A0000006150001')],
              ['01', anyDigits(6)],
              ['02', anyLetters(28)],
            ],
          ],
        ],
        '458',
        'MY',
      ),
    }),
    reference: ['62', '05'],
  },
  {
    name: 'QR Ph account',
    method: 'instapay',
    details: fc.record({
      bic: fc.stringMatching(/^[A-Z]{4}PHM[A-Z0-9]$/),
      account: anyDigits(4, 19),
      bank: fc.constant('Bank'),
    }),
    reference: ['62', '05'],
  },
  {
    name: 'QR Ph merchant',
    method: 'instapay',
    details: fc.record({
      staticQrCode: anyStaticQrCode(
        [
          [
            '28',
            [
              ['00', fc.constant('ph.ppmi.p2m')],
              ['01', fc.stringMatching(/^[A-Z]{4}PHM1XXX$/)],
              ['03', anyLetters(25)],
            ],
          ],
        ],
        '608',
        'PH',
      ),
    }),
    reference: ['62', '05'],
  },
  {
    name: 'PromptPay biller',
    method: 'prompt-pay',
    details: fc.record({ billerId: anyDigits(15) }),
    reference: ['30', '02'],
  },
  { name: 'PromptPay tax id', method: 'prompt-pay', details: fc.record({ taxId: thaiTaxId }) },
  { name: 'PromptPay e-wallet', method: 'prompt-pay', details: fc.record({ eWalletId: anyDigits(15) }) },
  {
    name: 'PromptPay mobile',
    method: 'prompt-pay',
    details: fc.record({ mobile: anyDigits(7).map((lastDigits) => `+6681${lastDigits}`) }),
  },
  {
    name: 'QRIS',
    method: 'gojek-id',
    details: fc.record({
      staticQrCode: anyStaticQrCode(
        [
          [
            '26',
            [
              ['00', fc.constant('COM.EXAMPLE.WWW')],
              ['01', anyDigits(18)],
              ['03', fc.constant('UMI')],
            ],
          ],
          [
            '51',
            [
              ['00', fc.constant('ID.CO.QRIS.WWW')],
              ['02', anyDigits(13).map((lastDigits) => `ID${lastDigits}`)],
            ],
          ],
        ],
        '360',
        'ID',
      ),
    }),
  },
];

const currencyNumbers: Record<string, string> = {
  HKD: '344',
  SGD: '702',
  VND: '704',
  MYR: '458',
  PHP: '608',
  THB: '764',
  IDR: '360',
};

describe('payment codes', () => {
  test.each(receivers)(
    'for $name are read equally by two other parsers',
    ({ method, details, reference }) => {
      const { min, max, country, currency, payableUnit } = paymentMethods[method];
      const step = min.minor;
      const payment = fc.record({
        minor: fc.bigInt(1n, max.minor / step).map((units) => units * step),
        nonce: anyReference,
        holder: fc.string({ unit: 'grapheme', maxLength: 60 }),
        demo: fc.boolean(),
      });
      const isWhole = payableUnit === 'whole';
      fc.assert(
        fc.property(details, payment, (account, { minor, nonce, holder, demo }) => {
          const code = createCode(method, account, { minor, nonce, holder, demo });
          expect(code.length).toBeLessThanOrEqual(512);
          expect(code).toMatch(/^0002(01|02)010212[ -~]*6304[0-9A-F]{4}$/);
          expectOthersAgree(code);
          const fields = parseFields(code);
          const digitsOfCurrency = currency === 'VND' ? 0 : 2;
          const amount = isWhole
            ? `${minor / 10n ** BigInt(digitsOfCurrency)}`
            : (Number(minor) / 100).toFixed(2);
          expect(fields).toMatchObject({ '53': currencyNumbers[currency], '54': amount, '58': country });
          if (demo) expect(fields['59']).toBe('DEMO');
          else if ('staticQrCode' in account)
            expect(fields['59']).toBe(parseFields(String(account.staticQrCode))['59']);
          else if (fields['59'] !== undefined) expect(fields['59']).toBe(toAsciiText(holder, 25) || 'NA');
          if (reference) {
            const template = fields[reference[0]];
            expect(typeof template === 'object' && template[reference[1]]).toBe(nonce);
          } else {
            expect(code).not.toContain(nonce);
          }
          const scheme = getScheme(method);
          expect(scheme.canCarryReference(scheme.parseDetails(account))).toBe(reference !== undefined);
        }),
        { numRuns: count(60, 600) },
      );
    },
  );

  test('for PromptPay are valid for a parser of PromptPay', () => {
    const payment = { minor: 4200n, nonce: 'BREW23456R' };
    expect(validate.anyId(createCode('prompt-pay', { mobile: '0812223333' }, payment))).toEqual({
      type: 'MSISDN',
      target: '0812223333',
      amount: 42,
    });
    expect(validate.anyId(createCode('prompt-pay', { taxId: '0105500000003' }, payment))).toEqual({
      type: 'NATID',
      target: '0105500000003',
      amount: 42,
    });
    expect(validate.anyId(createCode('prompt-pay', { eWalletId: '012345678901234' }, payment))).toEqual({
      type: 'EWALLETID',
      target: '012345678901234',
      amount: 42,
    });
    const bill = createCode('prompt-pay', { billerId: '099300045304207', reference2: 'shop1' }, payment);
    expect(validate.billPayment(bill)).toMatchObject({
      billerId: '099300045304207',
      ref1: 'BREW23456R',
      ref2: 'SHOP1',
      amount: 42,
    });
  });
});

describe('an amount that cannot be paid by the method', () => {
  test.each<[string, MethodCode, Money, string]>([
    ['another currency', 'fps', { minor: 100n, currency: 'SGD' }, 'fps accepts only HKD, not SGD'],
    [
      'cents of rupiah',
      'gojek-id',
      { minor: 150n, currency: 'IDR' },
      'accepts only whole amounts in IDR, not 1.50',
    ],
    [
      'more than 13 characters',
      'fps',
      { minor: 10n ** 13n, currency: 'HKD' },
      'No payment code can contain 100000000000.00 HKD',
    ],
  ])('throws an error: %s', (_, method, amount, reason) => {
    const scheme = getScheme(method);
    const payment = { amount, paymentReference: 'BREW23456R', holder: 'x', demo: true };
    expect(() => scheme.qrCode(scheme.demoDetails, payment)).toThrow(reason);
  });
});

describe('published codes are reproduced from their account', () => {
  test('FPS by mobile number (FPS-1, FPS-2)', () => {
    const first = { minor: 10000n, nonce: 'INV/TEST/0001', holder: 'company_1_data' };
    expect(parseComparable(createCode('fps', { mobile: '6789 1234' }, first))).toEqual(
      parseComparable(vectors['FPS-1']),
    );
    const second = { minor: 10050n, nonce: 'X', holder: 'TestMerchant' };
    expect(parseComparable(createCode('fps', { mobile: '+852 9123 4567' }, second), ['62'])).toEqual(
      parseComparable(vectors['FPS-2']),
    );
  });

  test('FPS by email address (FPS-3), except that ours is dynamic and has a reference', () => {
    const code = createCode(
      'fps',
      { email: 'FPS_Identifier_CRC201D@ird.gov.hk' },
      { minor: 198900n, nonce: 'X' },
    );
    expect(parseComparable(code, ['01', '62'])).toEqual(parseComparable(vectors['FPS-3 email'], ['01']));
  });

  test('FPS by FPS ID (FPS-4), except that the amount of ours cannot be changed', () => {
    const code = createCode('fps', { fpsId: '6000509' }, { minor: 1050n, nonce: 'HKTEST20210319060625962' });
    expect(parseComparable(code)).toEqual(parseComparable(vectors['FPS-4 editable'], ['26-06']));
  });

  test('PayNow by UEN (PN-1, PN-2, PN-3), except that the amount of ours cannot be changed and never expires', () => {
    const first = { minor: 10000n, nonce: 'INV/TEST/0001', holder: 'company_1_data' };
    expect(parseComparable(createCode('paynow', { uen: '200002150HWCF' }, first))).toEqual(
      parseComparable(vectors['PN-1']),
    );
    const second = createCode(
      'paynow',
      { uen: '201403121W' },
      { minor: 1n, nonce: 'X', holder: 'ACME Pte Ltd.' },
    );
    const ignoredPaths = ['01', '26-03', '26-04', '54', '62'];
    expect(parseComparable(second, ignoredPaths)).toEqual(parseComparable(vectors['PN-2'], ignoredPaths));
    const third = { minor: 2000n, nonce: 'SPP18444143935331652845', holder: 'SHOPEEPAY PRIVATE LIMITED' };
    expect(parseComparable(createCode('paynow', { uen: '201929813CSPP' }, third), ['01', '60'])).toEqual(
      parseComparable(vectors['PN-3 real, 14-digit expiry'], ['01', '26-04', '60']),
    );
  });

  test('VietQR (VQ-1, VQ-2), from BIN and account, and from the code', () => {
    const first = { minor: 10_000n, nonce: 'Chuyen tien' };
    const account = { bin: '970416', account: '257678859', bank: 'ACB' };
    expect(createCode('viettel-pay', account, first)).toBe(vectors['VQ-1']);
    expect(createCode('viettel-pay', { staticQrCode: ` ${vectors['VQ-1']}\n`, bank: 'ACB' }, first)).toBe(
      vectors['VQ-1'],
    );
    const second = { minor: 120_000n, nonce: 'ung ho lu lut' };
    expect(
      createCode('viettel-pay', { bin: '970415', account: '0011001932418', bank: 'VietinBank' }, second),
    ).toBe(vectors['VQ-2']);
  });

  test('QR Ph between persons (QRPH-1), except that ours has the reference only', () => {
    const account = { bic: 'PAEYPHM2', account: '985889386153', mobile: '09913729861', bank: 'PalawanPay' };
    const payment = { minor: 12345n, nonce: 'test12', holder: 'ENG-19818-ged' };
    const ignoredPaths = ['62-01', '62-02', '62-03', '62-04', '62-06', '62-07', '62-08'];
    expect(parseComparable(createCode('instapay', account, payment))).toEqual(
      parseComparable(vectors['QRPH-1'], ignoredPaths),
    );
  });

  test('PromptPay by mobile number (PP-1, PP-2)', () => {
    expect(
      parseComparable(createCode('prompt-pay', { mobile: '081-222-3333' }, { minor: 3000n, nonce: 'X' })),
    ).toEqual(parseComparable(vectors['PP-2']));
    const first = createCode('prompt-pay', { mobile: '080-123-4567' }, { minor: 1n, nonce: 'X' });
    expect(parseComparable(first, ['01', '54'])).toEqual(parseComparable(vectors['PP-1'], ['01']));
  });

  test('PromptPay bill payment (PP-3), with both references', () => {
    const code = schemes['prompt-pay'].qrCode(
      { billerId: '0112233445566', reference2: 'INV001' },
      { amount: toMoney('prompt-pay', 100n), paymentReference: 'CUSTOMER001', holder: 'x', demo: false },
    );
    expect(parseComparable(code, ['01', '54'])).toEqual(parseComparable(vectors['PP-3 bill'], ['01', '62']));
  });

  test('DuitNow (DN-1, DN-2) and QRIS (QRIS-2), from the code of the merchant, with our amount', () => {
    for (const base of [vectors['DN-1'], vectors['DN-2']]) {
      const code = createCode('duit-now', { staticQrCode: base }, { minor: 2550n, nonce: 'BREW23456R' });
      expect(parseFields(code)).toEqual({
        ...parseFields(base),
        '01': '12',
        '54': '25.50',
        '62': { '05': 'BREW23456R' },
      });
      expect(code.startsWith('000202010212')).toBe(true);
    }
    const base = vectors['QRIS-2 real, static'];
    const code = createCode('gojek-id', { staticQrCode: base }, { minor: 1_500_000n, nonce: 'BREW23456R' });
    expect(code.slice(0, -4)).toBe(
      base.slice(0, -4).replace('010211', '010212').replace('5802ID', '5405150005802ID'),
    );
  });
});
