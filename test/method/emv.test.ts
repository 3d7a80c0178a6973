import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import {
  asciiText,
  type EmvField,
  emvChecksum,
  readEmv,
  readTemplate,
  writeEmv,
} from '../../src/method/emv.ts';
import { getScheme, schemes } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyText } from './any-text.ts';
import { codeFor } from './code-for.ts';
import { catchDomainError, expectOthersAgree, fieldsOf } from './read-code.ts';
import { utf8Vector, vectors, wrongVectors } from './vectors.ts';

const minimal: EmvField[] = [
  ['00', '01'],
  ['01', '12'],
  ['58', 'HK'],
];

/** A code with a right checksum over whatever stands before it. */
function signed(body: string): string {
  return `${body}6304${emvChecksum(`${body}6304`)}`;
}

type Edit = Record<string, string | undefined>;

/** A merchant's own DuitNow QR with some root fields changed, added or (undefined) left out. */
function duitNowCode(edit: Edit = {}): string {
  const fields: Edit = {
    '00': '02',
    '01': '11',
    '26': encode([tag('00', 'A0000006150001'), tag('01', '501664'), tag('02', '123456789')]),
    '52': '5999',
    '53': '458',
    '58': 'MY',
    '59': 'KEDAI KOPI',
    '60': 'BANGI',
    ...edit,
  };
  const ids = Object.keys(fields).sort();
  const present = ids.flatMap((id) => (fields[id] === undefined ? [] : [tag(id, fields[id])]));
  return withCrcTag(encode(present), '63');
}

function merchantQrPh(edit: Edit = {}): string {
  return duitNowCode({
    '00': '01',
    '26': undefined,
    '28': encode([
      tag('00', 'ph.ppmi.p2m'),
      tag('01', 'PAPHPHM1XXX'),
      tag('03', '102140529'),
      tag('05', '033'),
    ]),
    '53': '608',
    '58': 'PH',
    ...edit,
  });
}

function qris(edit: Edit = {}): string {
  return duitNowCode({
    '00': '01',
    '26': encode([tag('00', 'COM.EXAMPLE.WWW'), tag('01', '936000000000000000')]),
    '51': encode([tag('00', 'ID.CO.QRIS.WWW'), tag('02', 'ID1020210000001')]),
    '53': '360',
    '58': 'ID',
    ...edit,
  });
}

function fill(method: MethodCode, staticQrCode: string, demo = false): string {
  const code = codeFor(
    method,
    { staticQrCode },
    { minor: 1_234_500n, nonce: 'BREW23456R', holder: 'Holder', demo },
  );
  expectOthersAgree(code);
  return code;
}

describe('the checksum', () => {
  test('is CRC-16/CCITT-FALSE', () => {
    expect(emvChecksum('123456789')).toBe('29B1');
    expect(emvChecksum('')).toBe('FFFF');
  });

  test('of the EMVCo sample runs over its UTF-8 bytes', () => {
    const bytes = Buffer.from(utf8Vector.slice(0, -4), 'utf8').toString('latin1');
    expect(emvChecksum(bytes)).toBe('A13A');
  });
});

describe('published codes', () => {
  test.each(Object.entries(vectors))(
    '%s is read, written again byte for byte, and read alike by others',
    (_, code) => {
      expect(writeEmv(readEmv(code, '/code'))).toBe(code);
      expectOthersAgree(code);
    },
  );

  test.each(Object.entries(wrongVectors))('%s is refused', (_, code) => {
    const refusal = catchDomainError(() => readEmv(code, '/code'));
    expect(refusal.code).toBe('receiving_account_invalid');
    expect(refusal.inputErrors[0]?.path).toBe('/code');
  });

  test('the right checksum of the wrong FPS code is the one we would write', () => {
    const wrong = wrongVectors['FPS 9999999 with checksum 84E1 in place of D1A3'];
    expect(emvChecksum(wrong.slice(0, -4))).toBe('D1A3');
  });

  test('the EMVCo sample is refused for its Chinese text, which readers measure differently', () => {
    expect(catchDomainError(() => readEmv(utf8Vector, '/code')).message).toContain('outside printable ASCII');
  });
});

describe('crafted codes are refused with a reason', () => {
  const start = '000201';
  test.each([
    ['nothing at all', '', 'ASCII'],
    ['only a checksum', signed(''), 'does not begin with'],
    ['a wrong checksum', `${start}63041234`, 'checksum is invalid'],
    [
      'a checksum in lower case',
      `${start}6304${emvChecksum(`${start}6304`).toLowerCase()}`,
      'checksum is invalid',
    ],
    ['no checksum', `${start}5802HK`, 'does not end with a checksum'],
    ['text after the checksum', `${signed(start)}00`, 'does not end with a checksum'],
    ['a second checksum inside', signed(`${start}63041234`), 'field 63 occurs twice'],
    ['another field first', signed('5802HK000201'), 'does not begin with'],
    ['a negative length', signed(`${start}00-4`), 'no field starts at character 7'],
    ['a signed length', signed(`${start}58+2HK`), 'no field'],
    ['a length in hexadecimal', signed(`${start}580xHK`), 'no field'],
    ['a length with a blank', signed(`${start}58 2HK`), 'no field'],
    ['a length with a point', signed(`${start}58.2HK`), 'no field'],
    ['a length of zero', signed(`${start}5800`), 'field 58 is empty'],
    ['a length past the end', signed(`${start}5899HK`), 'field 58 is longer than the remaining text'],
    ['an id of letters', signed(`${start}AB02HK`), 'no field'],
    ['half a field', signed(`${start}580`), 'no field'],
    ['a field twice', signed(`${start}5802HK5802HK`), 'field 58 occurs twice'],
    ['a template that is no template', signed(`${start}2604HELP`), 'in field 26, no field starts'],
    ['a template that is too short', signed(`${start}26060099ab`), 'in field 26, field 00 is longer'],
    ['a template with a field twice', signed(`${start}26100001a0001b`), 'in field 26, field 00 occurs twice'],
    ['an amount of letters', signed(`${start}5403abc`), 'field 54 has an invalid format'],
    ['a negative amount', signed(`${start}5402-5`), 'field 54'],
    ['an amount of 14 characters', signed(`${start}541412345678901.25`), 'field 54'],
    ['a country in lower case', signed(`${start}5802hk`), 'field 58'],
    ['a name of 26 characters', signed(`${start}5926${'A'.repeat(26)}`), 'field 59'],
    ['a city of 16 characters', signed(`${start}6016${'A'.repeat(16)}`), 'field 60'],
    ['a reference of 26 characters', signed(`${start}62300526${'A'.repeat(26)}`), 'field 62-05'],
    ['another point of initiation', signed(`${start}010213`), 'field 01'],
    ['a control character', signed(`${start}5904AB\nC`), 'outside printable ASCII'],
    ['a full-width digit', signed(`${start}5904ABC１`), 'outside printable ASCII'],
    ['more than 512 characters', signed(start + '6499x'.padEnd(103, 'x').repeat(6)), 'longer than 512'],
  ])('%s', (_, code, reason) => {
    const refusal = catchDomainError(() => readEmv(code, '/details/staticQrCode'));
    expect(refusal).toMatchObject({ code: 'receiving_account_invalid', status: 422 });
    expect(refusal.inputErrors).toHaveLength(1);
    expect(refusal.inputErrors[0]?.path).toBe('/details/staticQrCode');
    expect(refusal.message).toContain(reason);
  });

  test('templates within templates are walked, not recursed into: the deepest nesting ends', () => {
    let nested = '0001a';
    while (nested.length < 90) nested = `01${String(nested.length).padStart(2, '0')}${nested}`;
    const code = signed(`${start}26${nested.length}${nested}`);
    expect(readEmv(code, '/code')[1]).toEqual(['26', [['01', nested.slice(4)]]]);
    expect(readTemplate(nested, '/code')).toEqual([['01', nested.slice(4)]]);
  });

  test('whatever is given, it ends with fields or a refusal, and what is read is written back the same', () => {
    const soup = fc
      .array(
        fc.oneof(fc.constantFrom('00', '01', '26', '62', '63', '04', '99', '-4', '+1', ' '), fc.string()),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join(''));
    const edited = fc
      .tuple(fc.constantFrom(...Object.values(vectors)), fc.nat(), fc.string({ maxLength: 3 }), fc.nat(4))
      .map(([code, at, text, cut]) => {
        const body = code.slice(0, -8);
        const place = at % body.length;
        return signed(body.slice(0, place) + text + body.slice(place + cut));
      });
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(soup, soup.map(signed), edited), (code) => {
        try {
          expect(writeEmv(readEmv(code, '/code'))).toBe(code);
          read++;
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      { numRuns: count(3_000, 30_000) },
    );
    // Some edits leave a well-formed code, or this would only test refusals.
    expect(read).toBeGreaterThan(50);
  });

  test('a megabyte of anything is refused', () => {
    for (const text of ['0', '00-4', '2699', '５']) {
      // Were each character looked at more than a few times, this would take minutes.
      catchDomainError(() => readEmv(text.repeat(1_000_000 / text.length), '/code'));
    }
  });
});

describe('writing', () => {
  test('agrees with another writer on any fields', () => {
    const ascii = (max: number) => fc.stringMatching(new RegExp(`^[ -~]{1,${max}}$`));
    const template = fc.uniqueArray(fc.tuple(fc.constantFrom('00', '01', '02', '03', '05'), ascii(12)), {
      minLength: 1,
      maxLength: 5,
      selector: ([id]) => id,
    });
    fc.assert(
      fc.property(ascii(25), ascii(15), template, fc.nat({ max: 99_999_999 }), (name, city, inner, cents) => {
        const amount = (cents / 100).toFixed(2);
        const ours = writeEmv([...minimal, ['54', amount], ['59', name], ['60', city], ['62', inner]]);
        const theirs = encode([
          ...minimal.map(([id, value]) => tag(id, String(value))),
          tag('54', amount),
          tag('59', name),
          tag('60', city),
          tag('62', encode(inner.map(([id, value]) => tag(id, value)))),
        ]);
        expect(ours).toBe(withCrcTag(theirs, '63'));
        expectOthersAgree(ours);
      }),
      { numRuns: count(300, 3_000) },
    );
  });

  test.each<[string, EmvField[]]>([
    ['a value of 100 characters, whose length would be cut', [['64', 'x'.repeat(100)]]],
    ['a template of 100 characters', [['26', [['00', 'x'.repeat(96)]]]]],
    ['text outside ASCII', [['59', 'Đông']]],
    ['a name of 26 characters', [['59', 'x'.repeat(26)]]],
    ['a reference of 26 characters', [['62', [['05', 'x'.repeat(26)]]]]],
    ['an empty value', [['59', '']]],
    ['an amount with a comma', [['54', '1,000.00']]],
    ['a field twice', [['58', 'HK']]],
    ['more than 512 characters', [81, 82, 83, 84, 85, 86].map((id): EmvField => [`${id}`, 'x'.repeat(90)])],
  ])('%s is a bug, not a code', (_, extra) => {
    expect(() => writeEmv([...minimal, ...extra])).toThrow(/payment code/);
  });
});

describe('a name in ASCII', () => {
  test.each([
    ['Công ty Cổ phần Đông Á', 25, 'Cong ty Co phan Dong A'],
    ['CAFÉ ÑANDÚ', 25, 'CAFE NANDU'],
    ['Straße & Søn', 25, 'Strasse & Son'],
    ['  Two   words ', 25, 'Two words'],
    ['香港 Trading 有限公司 Ltd', 25, 'Trading Ltd'],
    ['香港有限公司', 25, ''],
    ['Ａｃｍｅ　１２', 25, 'Acme 12'],
    ['A very long company name indeed', 13, 'A very long c'],
    ['A very long company', 7, 'A very'],
    ['Tab\tand\nline', 25, 'Tab and line'],
    ['O’Neill', 25, "O'Neill"],
    ['😀', 25, ''],
  ])('%j becomes %j', (name, max, expected) => {
    expect(asciiText(name, max)).toBe(expected);
  });

  test('always fits its field', () => {
    fc.assert(
      fc.property(anyText(60), fc.integer({ min: 1, max: 50 }), (name, max) => {
        const text = asciiText(name, max);
        expect(text.length).toBeLessThanOrEqual(max);
        expect(text).toMatch(/^([!-~]([ -~]*[!-~])?)?$/);
        expect(asciiText(text, max)).toBe(text);
      }),
      { numRuns: count(1_000, 10_000) },
    );
  });
});

describe('a merchant’s own code is filled for one payment', () => {
  test.each<[MethodCode, string]>([
    ['duit-now', duitNowCode()],
    ['instapay', merchantQrPh()],
  ])(
    '%s: the amount, the reference and the mark of a dynamic code are added, the rest is kept in its order',
    (method, base) => {
      const code = fill(method, base);
      expect(fieldsOf(code)).toEqual({
        ...fieldsOf(base),
        '01': '12',
        '54': '12345.00',
        '62': { '05': 'BREW23456R' },
      });
      const added = ['540812345.00', '62140510BREW23456R'];
      expect(added.reduce((text, field) => text.replace(field, ''), code).slice(0, -4)).toBe(
        base.replace('010211', '010212').slice(0, -4),
      );
    },
  );

  test('QRIS: whole rupiah and nothing else, for its payers cannot send a remark', () => {
    const base = qris({ '62': encode([tag('07', 'A01')]) });
    expect(fieldsOf(fill('gojek-id', base))).toEqual({ ...fieldsOf(base), '01': '12', '54': '12345' });
  });

  test('a static code with an amount of its own gets ours', () => {
    expect(fieldsOf(fill('duit-now', duitNowCode({ '54': '10.00' })))['54']).toBe('12345.00');
  });

  test('a code that does not say whether it is static is taken for a static one', () => {
    const code = fill('duit-now', duitNowCode({ '01': undefined }));
    expect(code.startsWith('000202010212')).toBe(true);
  });

  test('other additional data is kept beside the reference', () => {
    const base = duitNowCode({ '62': encode([tag('03', 'STORE'), tag('05', '***'), tag('07', 'T1')]) });
    expect(fieldsOf(fill('duit-now', base))['62']).toEqual({ '03': 'STORE', '05': 'BREW23456R', '07': 'T1' });
  });

  test.each([
    ['the acquirer’s own reference', encode([tag('05', 'ACQUIRER1')])],
    [
      'additional data that leaves no room',
      encode([tag('01', 'x'.repeat(25)), tag('03', 'x'.repeat(25)), tag('07', 'x'.repeat(25))]),
    ],
  ])('%s is left alone, and then the reference is not carried', (_, additional) => {
    const base = duitNowCode({ '62': additional });
    expect(fieldsOf(fill('duit-now', base))['62']).toEqual(fieldsOf(base)['62']);
    expect(schemes['duit-now'].carriesReference({ staticQrCode: base })).toBe(false);
    expect(schemes['duit-now'].carriesReference({ staticQrCode: duitNowCode() })).toBe(true);
  });

  test('a demo payment names DEMO and no one else, in no script', () => {
    const base = duitNowCode({ '64': encode([tag('00', 'ZH'), tag('01', 'NAMA')]) });
    const fields = fieldsOf(fill('duit-now', base, true));
    expect(fields['59']).toBe('DEMO');
    expect(fields).not.toHaveProperty('64');
    expect(fieldsOf(fill('duit-now', base))).toHaveProperty('64');
  });
});

describe('a code that cannot be used is rejected with the reason', () => {
  test.each<[string, MethodCode, string, string]>([
    ['not a code', 'duit-now', 'https://example.com/pay', 'not a valid payment code'],
    ['a changed character', 'duit-now', duitNowCode().replace('KEDAI', 'KEDAL'), 'checksum'],
    ['cut short', 'duit-now', duitNowCode().slice(0, -10), 'checksum'],
    ['another country’s code', 'duit-now', vectors['FPS-1'], 'must be a DuitNow QR code'],
    ['a QRIS for DuitNow', 'duit-now', qris(), 'must be a DuitNow QR code'],
    ['a DuitNow code for QRIS', 'gojek-id', duitNowCode(), 'must be a QRIS'],
    [
      'a code between persons for QR Ph merchants',
      'instapay',
      vectors['QRPH-1'],
      'must be a QR Ph code for merchants',
    ],
    ['a dynamic DuitNow code', 'duit-now', duitNowCode({ '01': '12' }), 'static'],
    ['a dynamic QRIS (QRIS-1)', 'gojek-id', vectors['QRIS-1 dynamic'], 'static'],
    ['a dynamic QR Ph (QRPH-2)', 'instapay', vectors['QRPH-2 real, for merchants'], 'static'],
    ['another currency', 'duit-now', duitNowCode({ '53': '702' }), 'currency MYR (458 in field 53)'],
    ['no currency', 'duit-now', duitNowCode({ '53': undefined }), 'currency MYR (458 in field 53)'],
    ['another country', 'duit-now', duitNowCode({ '58': 'SG' }), 'country MY'],
    ['a tip the payer chooses', 'duit-now', duitNowCode({ '55': '01' }), 'tip or fee'],
    ['a fixed fee', 'duit-now', duitNowCode({ '55': '02', '56': '1.00' }), 'tip or fee'],
    ['a hash over the code', 'duit-now', duitNowCode({ '82': 'a'.repeat(64) }), 'hash'],
    [
      'an acquirer of letters',
      'duit-now',
      duitNowCode({ '26': encode([tag('00', 'A0000006150001'), tag('01', 'ABCDEF'), tag('02', '1')]) }),
      'acquirer',
    ],
    [
      'no QR id',
      'duit-now',
      duitNowCode({ '26': encode([tag('00', 'A0000006150001'), tag('01', '501664')]) }),
      'QR ID',
    ],
    [
      'the AID of a web page that PayNet contradicts',
      'duit-now',
      duitNowCode({ '26': encode([tag('00', 'A000000693010011'), tag('01', '501664'), tag('02', '1')]) }),
      'must be a DuitNow QR code',
    ],
    [
      'no national merchant id',
      'gojek-id',
      qris({ '51': encode([tag('00', 'ID.CO.QRIS.WWW')]) }),
      'national merchant ID',
    ],
    [
      'a national merchant id of another form',
      'gojek-id',
      qris({ '51': encode([tag('00', 'ID.CO.QRIS.WWW'), tag('02', 'AID711168620187')]) }),
      'national merchant ID',
    ],
    [
      'no merchant id',
      'instapay',
      merchantQrPh({ '28': encode([tag('00', 'ph.ppmi.p2m'), tag('01', 'PAPHPHM1XXX')]) }),
      'merchant ID',
    ],
    [
      'no room for an amount',
      'duit-now',
      duitNowCode({ '80': 'x'.repeat(99), '81': 'x'.repeat(99), '83': 'x'.repeat(99), '84': 'x'.repeat(50) }),
      'too long',
    ],
  ])('%s (%s)', (_, method, staticQrCode, reason) => {
    const refusal = catchDomainError(() => getScheme(method).parseDetails({ staticQrCode }));
    expect(refusal.code).toBe('receiving_account_invalid');
    expect(refusal.inputErrors).toEqual([
      { path: '/staticQrCode', message: expect.stringContaining(reason) },
    ]);
  });

  test('a VietQR that pays a card, or no one', () => {
    const card = vectors['VQ-1'].replace('QRIBFTTA', 'QRIBFTTC');
    const signed = withCrcTag(card.slice(0, -8), '63');
    const parse = schemes['viettel-pay'].parseDetails;
    expect(catchDomainError(() => parse({ staticQrCode: signed, bank: 'ACB' })).message).toContain(
      'not a card',
    );
    expect(catchDomainError(() => parse({ staticQrCode: vectors['FPS-1'], bank: 'ACB' })).message).toContain(
      'must be a VietQR',
    );
    expect(catchDomainError(() => parse({ staticQrCode: card, bank: 'ACB' })).inputErrors[0]?.path).toBe(
      '/staticQrCode',
    );
  });
});
