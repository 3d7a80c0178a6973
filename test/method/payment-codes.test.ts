import fc from 'fast-check';
import { encode, tag, validate, withCrcTag } from 'promptparse';
import { describe, expect, test } from 'vitest';
import type { Money } from '../../src/kit/money.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { asciiText } from '../../src/method/emv.ts';
import { getScheme, schemes } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyNonce } from './any-nonce.ts';
import { codeFor, money } from './code-for.ts';
import { comparable, expectOthersAgree, fieldsOf } from './read-code.ts';
import { vectors } from './vectors.ts';

const digits = (min: number, max = min) => fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`));

const letters = (max: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{1,${max}}$`));

const email = fc.stringMatching(/^[a-z0-9_+]{1,20}$/).map((name) => `${name}@example.com`);

/** Written by another writer, with whatever an acquirer may have put into the free fields. */
function staticQrCode(
  template: [string, [string, fc.Arbitrary<string>][]][],
  currency: string,
  country: string,
) {
  const one = ([id, subs]: (typeof template)[number]) =>
    fc
      .tuple(...subs.map(([sub, value]) => value.map((text) => tag(sub, text))))
      .map((fields) => tag(id, encode(fields)));
  const printable = (max: number) => fc.stringMatching(new RegExp(`^[!-~]{1,${max}}$`));
  const additional = fc.option(
    letters(25).map((terminal) => tag('62', encode([tag('07', terminal)]))),
    { nil: undefined },
  );
  return fc
    .tuple(fc.tuple(...template.map(one)), printable(25), printable(15), additional, fc.boolean())
    .map(([templates, name, city, extra, hasPoint]) =>
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
          ...(extra ? [extra] : []),
        ]),
        '63',
      ),
    );
}

const companyUen = digits(9).map((text) => {
  const sum = [10, 8, 6, 4, 9, 7, 5, 3, 1].reduce((total, weight, i) => total + weight * Number(text[i]), 0);
  return `${text}${'ZKCMDNERGWH'[sum % 11]}`;
});

const thaiTaxId = digits(12).map((text) => {
  const sum = [...text].reduce((total, digit, i) => total + Number(digit) * (13 - i), 0);
  return `${text}${(11 - (sum % 11)) % 10}`;
});

/** Every way to receive by an EMV code, with where its reference stands. */
const receivers: {
  name: string;
  method: MethodCode;
  details: fc.Arbitrary<object>;
  reference?: [string, string];
}[] = [
  {
    name: 'FPS id',
    method: 'fps',
    details: fc.record({ fpsId: fc.oneof(digits(7), digits(9)) }),
    reference: ['62', '05'],
  },
  {
    name: 'FPS mobile with bank',
    method: 'fps',
    details: fc.record({ mobile: digits(7).map((rest) => `+8526${rest}`), bankCode: digits(3) }),
    reference: ['62', '05'],
  },
  { name: 'FPS e-mail', method: 'fps', details: fc.record({ email }), reference: ['62', '05'] },
  { name: 'PayNow UEN', method: 'paynow', details: fc.record({ uen: companyUen }), reference: ['62', '01'] },
  {
    name: 'PayNow mobile',
    method: 'paynow',
    details: fc.record({ mobile: digits(6).map((rest) => `+6591${rest}`) }),
    reference: ['62', '01'],
  },
  {
    name: 'VietQR',
    method: 'viettel-pay',
    details: fc.record({ bin: digits(6), account: letters(19), bank: fc.constant('Viettel Money') }),
    reference: ['62', '08'],
  },
  {
    name: 'DuitNow',
    method: 'duit-now',
    details: fc.record({
      staticQrCode: staticQrCode(
        [
          [
            '26',
            [
              ['00', fc.constant('A0000006150001')],
              ['01', digits(6)],
              ['02', letters(28)],
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
      account: digits(4, 19),
      bank: fc.constant('Bank'),
    }),
    reference: ['62', '05'],
  },
  {
    name: 'QR Ph merchant',
    method: 'instapay',
    details: fc.record({
      staticQrCode: staticQrCode(
        [
          [
            '28',
            [
              ['00', fc.constant('ph.ppmi.p2m')],
              ['01', fc.stringMatching(/^[A-Z]{4}PHM1XXX$/)],
              ['03', letters(25)],
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
    details: fc.record({ billerId: digits(15) }),
    reference: ['30', '02'],
  },
  { name: 'PromptPay tax id', method: 'prompt-pay', details: fc.record({ taxId: thaiTaxId }) },
  { name: 'PromptPay e-wallet', method: 'prompt-pay', details: fc.record({ eWalletId: digits(15) }) },
  {
    name: 'PromptPay mobile',
    method: 'prompt-pay',
    details: fc.record({ mobile: digits(7).map((rest) => `+6681${rest}`) }),
  },
  {
    name: 'QRIS',
    method: 'gojek-id',
    details: fc.record({
      staticQrCode: staticQrCode(
        [
          [
            '26',
            [
              ['00', fc.constant('COM.EXAMPLE.WWW')],
              ['01', digits(18)],
              ['03', fc.constant('UMI')],
            ],
          ],
          [
            '51',
            [
              ['00', fc.constant('ID.CO.QRIS.WWW')],
              ['02', digits(13).map((rest) => `ID${rest}`)],
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

describe('every code made is read alike by two other parsers', () => {
  test.each(receivers)('$name', ({ method, details, reference }) => {
    const { min, max, country, currency, payableUnit } = paymentMethods[method];
    const step = min.minor;
    const payment = fc.record({
      minor: fc.bigInt(1n, max.minor / step).map((units) => units * step),
      nonce: anyNonce,
      holder: fc.string({ unit: 'grapheme', maxLength: 60 }),
      demo: fc.boolean(),
    });
    const whole = payableUnit === 'whole';
    fc.assert(
      fc.property(details, payment, (account, { minor, nonce, holder, demo }) => {
        const code = codeFor(method, account, { minor, nonce, holder, demo });
        expect(code.length).toBeLessThanOrEqual(512);
        expect(code).toMatch(/^0002(01|02)010212[ -~]*6304[0-9A-F]{4}$/);
        expectOthersAgree(code);
        const fields = fieldsOf(code);
        const digitsOfCurrency = currency === 'VND' ? 0 : 2;
        const amount = whole
          ? `${minor / 10n ** BigInt(digitsOfCurrency)}`
          : (Number(minor) / 100).toFixed(2);
        expect(fields).toMatchObject({ '53': currencyNumbers[currency], '54': amount, '58': country });
        if (demo) expect(fields['59']).toBe('DEMO');
        else if ('staticQrCode' in account)
          expect(fields['59']).toBe(fieldsOf(String(account.staticQrCode))['59']);
        else if (fields['59'] !== undefined) expect(fields['59']).toBe(asciiText(holder, 25) || 'NA');
        if (reference) {
          const template = fields[reference[0]];
          expect(typeof template === 'object' && template[reference[1]]).toBe(nonce);
        } else {
          expect(code).not.toContain(nonce);
        }
        const scheme = getScheme(method);
        expect(scheme.carriesReference(scheme.parseDetails(account))).toBe(reference !== undefined);
      }),
      { numRuns: count(60, 600) },
    );
  });

  test('PromptPay codes pass a parser that knows PromptPay', () => {
    const payment = { minor: 4200n, nonce: 'BREW23456R' };
    expect(validate.anyId(codeFor('prompt-pay', { mobile: '0812223333' }, payment))).toEqual({
      type: 'MSISDN',
      target: '0812223333',
      amount: 42,
    });
    expect(validate.anyId(codeFor('prompt-pay', { taxId: '0105500000003' }, payment))).toEqual({
      type: 'NATID',
      target: '0105500000003',
      amount: 42,
    });
    expect(validate.anyId(codeFor('prompt-pay', { eWalletId: '012345678901234' }, payment))).toEqual({
      type: 'EWALLETID',
      target: '012345678901234',
      amount: 42,
    });
    const bill = codeFor('prompt-pay', { billerId: '099300045304207', reference2: 'shop1' }, payment);
    expect(validate.billPayment(bill)).toMatchObject({
      billerId: '099300045304207',
      ref1: 'BREW23456R',
      ref2: 'SHOP1',
      amount: 42,
    });
  });
});

describe('an amount that the method cannot be paid in is a bug, not a code', () => {
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
      'field 54 has an invalid format',
    ],
  ])('%s', (_, method, amount, reason) => {
    const scheme = getScheme(method);
    const payment = { amount, paymentReference: 'BREW23456R', holder: 'x', demo: true };
    expect(() => scheme.qrCode(scheme.demoDetails, payment)).toThrow(reason);
  });
});

describe('published codes are reproduced from the account they are for', () => {
  test('FPS by mobile number (FPS-1, FPS-2)', () => {
    const first = { minor: 10000n, nonce: 'INV/TEST/0001', holder: 'company_1_data' };
    expect(comparable(codeFor('fps', { mobile: '6789 1234' }, first))).toEqual(comparable(vectors['FPS-1']));
    const second = { minor: 10050n, nonce: 'X', holder: 'TestMerchant' };
    expect(comparable(codeFor('fps', { mobile: '+852 9123 4567' }, second), ['62'])).toEqual(
      comparable(vectors['FPS-2']),
    );
  });

  test('FPS by e-mail address (FPS-3), ours for one payment and with a reference', () => {
    const code = codeFor(
      'fps',
      { email: 'FPS_Identifier_CRC201D@ird.gov.hk' },
      { minor: 198900n, nonce: 'X' },
    );
    expect(comparable(code, ['01', '62'])).toEqual(comparable(vectors['FPS-3 email'], ['01']));
  });

  test('FPS by FPS id (FPS-4), ours with an amount that cannot be edited', () => {
    const code = codeFor('fps', { fpsId: '6000509' }, { minor: 1050n, nonce: 'HKTEST20210319060625962' });
    expect(comparable(code)).toEqual(comparable(vectors['FPS-4 editable'], ['26-06']));
  });

  test('PayNow by UEN (PN-1, PN-2, PN-3), ours not editable and without expiry', () => {
    const first = { minor: 10000n, nonce: 'INV/TEST/0001', holder: 'company_1_data' };
    expect(comparable(codeFor('paynow', { uen: '200002150HWCF' }, first))).toEqual(
      comparable(vectors['PN-1']),
    );
    const second = codeFor(
      'paynow',
      { uen: '201403121W' },
      { minor: 1n, nonce: 'X', holder: 'ACME Pte Ltd.' },
    );
    const leftOut = ['01', '26-03', '26-04', '54', '62'];
    expect(comparable(second, leftOut)).toEqual(comparable(vectors['PN-2'], leftOut));
    const third = { minor: 2000n, nonce: 'SPP18444143935331652845', holder: 'SHOPEEPAY PRIVATE LIMITED' };
    expect(comparable(codeFor('paynow', { uen: '201929813CSPP' }, third), ['01', '60'])).toEqual(
      comparable(vectors['PN-3 real, 14-digit expiry'], ['01', '26-04', '60']),
    );
  });

  test('VietQR (VQ-1, VQ-2), from BIN and account and from the code itself', () => {
    const first = { minor: 10_000n, nonce: 'Chuyen tien' };
    const account = { bin: '970416', account: '257678859', bank: 'ACB' };
    expect(codeFor('viettel-pay', account, first)).toBe(vectors['VQ-1']);
    expect(codeFor('viettel-pay', { staticQrCode: ` ${vectors['VQ-1']}\n`, bank: 'ACB' }, first)).toBe(
      vectors['VQ-1'],
    );
    const second = { minor: 120_000n, nonce: 'ung ho lu lut' };
    expect(
      codeFor('viettel-pay', { bin: '970415', account: '0011001932418', bank: 'VietinBank' }, second),
    ).toBe(vectors['VQ-2']);
  });

  test('QR Ph between persons (QRPH-1), ours with the reference only', () => {
    const account = { bic: 'PAEYPHM2', account: '985889386153', mobile: '09913729861', bank: 'PalawanPay' };
    const payment = { minor: 12345n, nonce: 'test12', holder: 'ENG-19818-ged' };
    const leftOut = ['62-01', '62-02', '62-03', '62-04', '62-06', '62-07', '62-08'];
    expect(comparable(codeFor('instapay', account, payment))).toEqual(comparable(vectors['QRPH-1'], leftOut));
  });

  test('PromptPay by mobile number (PP-1, PP-2)', () => {
    expect(
      comparable(codeFor('prompt-pay', { mobile: '081-222-3333' }, { minor: 3000n, nonce: 'X' })),
    ).toEqual(comparable(vectors['PP-2']));
    const first = codeFor('prompt-pay', { mobile: '080-123-4567' }, { minor: 1n, nonce: 'X' });
    expect(comparable(first, ['01', '54'])).toEqual(comparable(vectors['PP-1'], ['01']));
  });

  test('PromptPay bill payment (PP-3): both references; its biller id is shorter than banks issue', () => {
    const code = schemes['prompt-pay'].qrCode(
      { billerId: '0112233445566', reference2: 'INV001' },
      { amount: money('prompt-pay', 100n), paymentReference: 'CUSTOMER001', holder: 'x', demo: false },
    );
    expect(comparable(code, ['01', '54'])).toEqual(comparable(vectors['PP-3 bill'], ['01', '62']));
  });

  test('DuitNow (DN-1, DN-2) and QRIS (QRIS-2) are the merchant’s own code with our amount', () => {
    for (const base of [vectors['DN-1'], vectors['DN-2']]) {
      const code = codeFor('duit-now', { staticQrCode: base }, { minor: 2550n, nonce: 'BREW23456R' });
      expect(fieldsOf(code)).toEqual({
        ...fieldsOf(base),
        '01': '12',
        '54': '25.50',
        '62': { '05': 'BREW23456R' },
      });
      expect(code.startsWith('000202010212')).toBe(true);
    }
    const base = vectors['QRIS-2 real, static'];
    const code = codeFor('gojek-id', { staticQrCode: base }, { minor: 1_500_000n, nonce: 'BREW23456R' });
    expect(code.slice(0, -4)).toBe(
      base.slice(0, -4).replace('010211', '010212').replace('5802ID', '5405150005802ID'),
    );
  });
});
