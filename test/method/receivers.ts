import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import type { MethodCode } from '../../src/method/catalogue.ts';

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
export const receivers: {
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
