import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { computeEmvChecksum, type EmvField, toAsciiText, writeEmv } from '../../src/method/emv.ts';
import { readEmv, readNestedTemplate } from '../../src/method/read-emv.ts';
import { getScheme, schemes } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyText } from './any-text.ts';
import { createCode } from './create-code.ts';
import { catchDomainError, expectOthersAgree, parseFields } from './read-code.ts';
import { utf8Vector, vectors, wrongVectors } from './vectors.ts';

const minimal: EmvField[] = [
  ['00', '01'],
  ['01', '12'],
  ['58', 'HK'],
];

/** Appends the checksum to the fields of a code. */
function withChecksum(body: string): string {
  return `${body}6304${computeEmvChecksum(`${body}6304`)}`;
}

type FieldChanges = Record<string, string | undefined>;

/** Builds the DuitNow QR code of a merchant with changed or added root fields; `undefined` removes a field. */
function buildDuitNowCode(changes: FieldChanges = {}): string {
  const fields: FieldChanges = {
    '00': '02',
    '01': '11',
    '26': encode([tag('00', 'A0000006150001'), tag('01', '501664'), tag('02', '123456789')]),
    '52': '5999',
    '53': '458',
    '58': 'MY',
    '59': 'KEDAI KOPI',
    '60': 'BANGI',
    ...changes,
  };
  const ids = Object.keys(fields).sort();
  const present = ids.flatMap((id) => (fields[id] === undefined ? [] : [tag(id, fields[id])]));
  return withCrcTag(encode(present), '63');
}

function buildMerchantQrPh(changes: FieldChanges = {}): string {
  return buildDuitNowCode({
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
    ...changes,
  });
}

function buildQris(changes: FieldChanges = {}): string {
  return buildDuitNowCode({
    '00': '01',
    '26': encode([tag('00', 'COM.EXAMPLE.WWW'), tag('01', '936000000000000000')]),
    '51': encode([tag('00', 'ID.CO.QRIS.WWW'), tag('02', 'ID1020210000001')]),
    '53': '360',
    '58': 'ID',
    ...changes,
  });
}

function fillCode(method: MethodCode, staticQrCode: string, demo = false): string {
  const code = createCode(
    method,
    { staticQrCode },
    { minor: 1_234_500n, nonce: 'BREW23456R', holder: 'Holder', demo },
  );
  expectOthersAgree(code);
  return code;
}

describe('checksum', () => {
  test('is CRC-16/CCITT-FALSE', () => {
    expect(computeEmvChecksum('123456789')).toBe('29B1');
    expect(computeEmvChecksum('')).toBe('FFFF');
  });

  test('of the EMVCo sample is that of its UTF-8 bytes', () => {
    const bytes = Buffer.from(utf8Vector.slice(0, -4), 'utf8').toString('latin1');
    expect(computeEmvChecksum(bytes)).toBe('A13A');
  });
});

describe('published codes', () => {
  test.each(Object.entries(vectors))(
    '%s is read, written again byte for byte, and read equally by other parsers',
    (_, code) => {
      expect(writeEmv(readEmv(code, '/code'))).toBe(code);
      expectOthersAgree(code);
    },
  );

  test.each(Object.entries(wrongVectors))('%s is rejected', (_, code) => {
    const error = catchDomainError(() => readEmv(code, '/code'));
    expect(error.code).toBe('receiving_account_invalid');
    expect(error.inputErrors[0]?.path).toBe('/code');
  });

  test('the FPS code with an invalid checksum has the checksum D1A3', () => {
    const wrong = wrongVectors['FPS 9999999 with checksum 84E1 in place of D1A3'];
    expect(computeEmvChecksum(wrong.slice(0, -4))).toBe('D1A3');
  });

  test('the EMVCo sample is rejected because parsers measure its Chinese text differently', () => {
    expect(catchDomainError(() => readEmv(utf8Vector, '/code')).message).toContain('outside printable ASCII');
  });
});

describe('a code is rejected', () => {
  const start = '000201';
  test.each([
    ['an empty text', '', 'ASCII'],
    ['only a checksum', withChecksum(''), 'does not begin with'],
    ['a wrong checksum', `${start}63041234`, 'checksum is invalid'],
    [
      'a checksum in lower case',
      `${start}6304${computeEmvChecksum(`${start}6304`).toLowerCase()}`,
      'checksum is invalid',
    ],
    ['no checksum', `${start}5802HK`, 'does not end with a checksum'],
    ['text after the checksum', `${withChecksum(start)}00`, 'does not end with a checksum'],
    ['a second checksum inside', withChecksum(`${start}63041234`), 'field 63 occurs twice'],
    ['another first field', withChecksum('5802HK000201'), 'does not begin with'],
    ['a negative length', withChecksum(`${start}00-4`), 'no field starts at character 7'],
    ['a signed length', withChecksum(`${start}58+2HK`), 'no field'],
    ['a length in hexadecimal', withChecksum(`${start}580xHK`), 'no field'],
    ['a length with a space', withChecksum(`${start}58 2HK`), 'no field'],
    ['a length with a dot', withChecksum(`${start}58.2HK`), 'no field'],
    ['a length of zero', withChecksum(`${start}5800`), 'field 58 is empty'],
    ['a length past the end', withChecksum(`${start}5899HK`), 'field 58 is longer than the remaining text'],
    ['an ID with letters', withChecksum(`${start}AB02HK`), 'no field'],
    ['an incomplete field', withChecksum(`${start}580`), 'no field'],
    ['a repeated field', withChecksum(`${start}5802HK5802HK`), 'field 58 occurs twice'],
    ['an invalid template', withChecksum(`${start}2604HELP`), 'in field 26, no field starts'],
    ['a template that is too short', withChecksum(`${start}26060099ab`), 'in field 26, field 00 is longer'],
    [
      'a template with a repeated field',
      withChecksum(`${start}26100001a0001b`),
      'in field 26, field 00 occurs twice',
    ],
    ['an amount with letters', withChecksum(`${start}5403abc`), 'field 54 has an invalid format'],
    ['a negative amount', withChecksum(`${start}5402-5`), 'field 54'],
    ['an amount of 14 characters', withChecksum(`${start}541412345678901.25`), 'field 54'],
    ['a country in lower case', withChecksum(`${start}5802hk`), 'field 58'],
    ['a name of 26 characters', withChecksum(`${start}5926${'A'.repeat(26)}`), 'field 59'],
    ['a city of 16 characters', withChecksum(`${start}6016${'A'.repeat(16)}`), 'field 60'],
    ['a reference of 26 characters', withChecksum(`${start}62300526${'A'.repeat(26)}`), 'field 62-05'],
    ['an unknown point of initiation', withChecksum(`${start}010213`), 'field 01'],
    ['a control character', withChecksum(`${start}5904AB\nC`), 'outside printable ASCII'],
    ['a full-width digit', withChecksum(`${start}5904ABC１`), 'outside printable ASCII'],
    ['more than 512 characters', withChecksum(start + '6499x'.padEnd(103, 'x').repeat(6)), 'longer than 512'],
  ])('with the reason for %s', (_, code, reason) => {
    const error = catchDomainError(() => readEmv(code, '/details/staticQrCode'));
    expect(error).toMatchObject({ code: 'receiving_account_invalid', status: 422 });
    expect(error.inputErrors).toHaveLength(1);
    expect(error.inputErrors[0]?.path).toBe('/details/staticQrCode');
    expect(error.message).toContain(reason);
  });

  test('deeply nested templates are parsed one level at a time', () => {
    let nested = '0001a';
    while (nested.length < 90) nested = `01${String(nested.length).padStart(2, '0')}${nested}`;
    const code = withChecksum(`${start}26${nested.length}${nested}`);
    expect(readEmv(code, '/code')[1]).toEqual(['26', [['01', nested.slice(4)]]]);
    expect(readNestedTemplate(nested, '/code')).toEqual([['01', nested.slice(4)]]);
  });

  test('any text is rejected, or read and written again unchanged', () => {
    const fragments = fc
      .array(
        fc.oneof(fc.constantFrom('00', '01', '26', '62', '63', '04', '99', '-4', '+1', ' '), fc.string()),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join(''));
    const edited = fc
      .tuple(fc.constantFrom(...Object.values(vectors)), fc.nat(), fc.string({ maxLength: 3 }), fc.nat(4))
      .map(([code, offset, text, removedLength]) => {
        const body = code.slice(0, -8);
        const position = offset % body.length;
        return withChecksum(body.slice(0, position) + text + body.slice(position + removedLength));
      });
    let readCount = 0;
    fc.assert(
      fc.property(fc.oneof(fragments, fragments.map(withChecksum), edited), (code) => {
        try {
          expect(writeEmv(readEmv(code, '/code'))).toBe(code);
          readCount++;
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      { numRuns: count(3_000, 30_000) },
    );
    // Otherwise only rejections would be tested.
    expect(readCount).toBeGreaterThan(50);
  });

  test('a megabyte of invalid text is rejected quickly', () => {
    for (const text of ['0', '00-4', '2699', '５']) {
      // Quadratic parsing would take minutes.
      catchDomainError(() => readEmv(text.repeat(1_000_000 / text.length), '/code'));
    }
  });
});

describe('writeEmv', () => {
  test('writes any fields like another library', () => {
    const ascii = (max: number) => fc.stringMatching(new RegExp(`^[ -~]{1,${max}}$`));
    const template = fc.uniqueArray(fc.tuple(fc.constantFrom('00', '01', '02', '03', '05'), ascii(12)), {
      minLength: 1,
      maxLength: 5,
      selector: ([id]) => id,
    });
    fc.assert(
      fc.property(ascii(25), ascii(15), template, fc.nat({ max: 99_999_999 }), (name, city, inner, cents) => {
        const amount = (cents / 100).toFixed(2);
        const written = writeEmv([...minimal, ['54', amount], ['59', name], ['60', city], ['62', inner]]);
        const otherWritten = encode([
          ...minimal.map(([id, value]) => tag(id, String(value))),
          tag('54', amount),
          tag('59', name),
          tag('60', city),
          tag('62', encode(inner.map(([id, value]) => tag(id, value)))),
        ]);
        expect(written).toBe(withCrcTag(otherWritten, '63'));
        expectOthersAgree(written);
      }),
      { numRuns: count(300, 3_000) },
    );
  });

  test.each<[string, EmvField[]]>([
    ['a value of 100 characters, whose length has three digits', [['64', 'x'.repeat(100)]]],
    ['a template of 100 characters', [['26', [['00', 'x'.repeat(96)]]]]],
    ['text outside ASCII', [['59', 'Đông']]],
    ['a name of 26 characters', [['59', 'x'.repeat(26)]]],
    ['a reference of 26 characters', [['62', [['05', 'x'.repeat(26)]]]]],
    ['an empty value', [['59', '']]],
    ['an amount with a comma', [['54', '1,000.00']]],
    ['a repeated field', [['58', 'HK']]],
    ['more than 512 characters', [81, 82, 83, 84, 85, 86].map((id): EmvField => [`${id}`, 'x'.repeat(90)])],
  ])('throws an internal error for %s', (_, invalidFields) => {
    expect(() => writeEmv([...minimal, ...invalidFields])).toThrow(/payment code/);
  });
});

describe('asciiText', () => {
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
  ])('converts %j, with at most %i characters, to %j', (name, max, expected) => {
    expect(toAsciiText(name, max)).toBe(expected);
  });

  test('never exceeds the maximum length', () => {
    fc.assert(
      fc.property(anyText(60), fc.integer({ min: 1, max: 50 }), (name, max) => {
        const text = toAsciiText(name, max);
        expect(text.length).toBeLessThanOrEqual(max);
        expect(text).toMatch(/^([!-~]([ -~]*[!-~])?)?$/);
        expect(toAsciiText(text, max)).toBe(text);
      }),
      { numRuns: count(1_000, 10_000) },
    );
  });
});

describe('the code of a merchant', () => {
  test.each<[MethodCode, string]>([
    ['duit-now', buildDuitNowCode()],
    ['instapay', buildMerchantQrPh()],
  ])(
    'of %s receives the amount, the reference and the mark of a dynamic code, and keeps its other fields in order',
    (method, base) => {
      const code = fillCode(method, base);
      expect(parseFields(code)).toEqual({
        ...parseFields(base),
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

  test('of QRIS receives the whole amount only, because its payers cannot send a reference', () => {
    const base = buildQris({ '62': encode([tag('07', 'A01')]) });
    expect(parseFields(fillCode('gojek-id', base))).toEqual({
      ...parseFields(base),
      '01': '12',
      '54': '12345',
    });
  });

  test('receives the amount of the payment in place of its own', () => {
    expect(parseFields(fillCode('duit-now', buildDuitNowCode({ '54': '10.00' })))['54']).toBe('12345.00');
  });

  test('is static if it does not state its point of initiation', () => {
    const code = fillCode('duit-now', buildDuitNowCode({ '01': undefined }));
    expect(code.startsWith('000202010212')).toBe(true);
  });

  test('keeps other additional data next to the reference', () => {
    const base = buildDuitNowCode({ '62': encode([tag('03', 'STORE'), tag('05', '***'), tag('07', 'T1')]) });
    expect(parseFields(fillCode('duit-now', base))['62']).toEqual({
      '03': 'STORE',
      '05': 'BREW23456R',
      '07': 'T1',
    });
  });

  test.each([
    ['the acquirer’s own reference', encode([tag('05', 'ACQUIRER1')])],
    [
      'additional data that leaves no room',
      encode([tag('01', 'x'.repeat(25)), tag('03', 'x'.repeat(25)), tag('07', 'x'.repeat(25))]),
    ],
  ])('keeps %s, and does not carry the payment reference', (_, additional) => {
    const base = buildDuitNowCode({ '62': additional });
    expect(parseFields(fillCode('duit-now', base))['62']).toEqual(parseFields(base)['62']);
    expect(schemes['duit-now'].canCarryReference({ staticQrCode: base })).toBe(false);
    expect(schemes['duit-now'].canCarryReference({ staticQrCode: buildDuitNowCode() })).toBe(true);
  });

  test('names only DEMO in a demo payment, in every language', () => {
    const base = buildDuitNowCode({ '64': encode([tag('00', 'ZH'), tag('01', 'NAMA')]) });
    const fields = parseFields(fillCode('duit-now', base, true));
    expect(fields['59']).toBe('DEMO');
    expect(fields).not.toHaveProperty('64');
    expect(parseFields(fillCode('duit-now', base))).toHaveProperty('64');
  });
});

describe('a static code is rejected', () => {
  test.each<[string, MethodCode, string, string]>([
    ['a text that is no code', 'duit-now', 'https://example.com/pay', 'not a valid payment code'],
    ['a changed character', 'duit-now', buildDuitNowCode().replace('KEDAI', 'KEDAL'), 'checksum'],
    ['a truncated code', 'duit-now', buildDuitNowCode().slice(0, -10), 'checksum'],
    ['another country’s code', 'duit-now', vectors['FPS-1'], 'must be a DuitNow QR code'],
    ['a QRIS for DuitNow', 'duit-now', buildQris(), 'must be a DuitNow QR code'],
    ['a DuitNow code for QRIS', 'gojek-id', buildDuitNowCode(), 'must be a QRIS'],
    ['a QR Ph code between persons', 'instapay', vectors['QRPH-1'], 'must be a QR Ph code for merchants'],
    ['a dynamic DuitNow code', 'duit-now', buildDuitNowCode({ '01': '12' }), 'static'],
    ['a dynamic QRIS (QRIS-1)', 'gojek-id', vectors['QRIS-1 dynamic'], 'static'],
    ['a dynamic QR Ph (QRPH-2)', 'instapay', vectors['QRPH-2 real, for merchants'], 'static'],
    ['another currency', 'duit-now', buildDuitNowCode({ '53': '702' }), 'currency MYR (458 in field 53)'],
    ['no currency', 'duit-now', buildDuitNowCode({ '53': undefined }), 'currency MYR (458 in field 53)'],
    ['another country', 'duit-now', buildDuitNowCode({ '58': 'SG' }), 'country MY'],
    ['a tip the payer chooses', 'duit-now', buildDuitNowCode({ '55': '01' }), 'tip or fee'],
    ['a fixed fee', 'duit-now', buildDuitNowCode({ '55': '02', '56': '1.00' }), 'tip or fee'],
    ['a hash over the code', 'duit-now', buildDuitNowCode({ '82': 'a'.repeat(64) }), 'hash'],
    [
      'an acquirer of letters',
      'duit-now',
      buildDuitNowCode({ '26': encode([tag('00', 'A0000006150001'), tag('01', 'ABCDEF'), tag('02', '1')]) }),
      'acquirer',
    ],
    [
      'no QR id',
      'duit-now',
      buildDuitNowCode({ '26': encode([tag('00', 'A0000006150001'), tag('01', '501664')]) }),
      'QR ID',
    ],
    [
      'an application ID that PayNet does not use',
      'duit-now',
      buildDuitNowCode({
        '26': encode([tag('00', 'A000000693010011'), tag('01', '501664'), tag('02', '1')]),
      }),
      'must be a DuitNow QR code',
    ],
    [
      'no national merchant id',
      'gojek-id',
      buildQris({ '51': encode([tag('00', 'ID.CO.QRIS.WWW')]) }),
      'national merchant ID',
    ],
    [
      'a national merchant id of another form',
      'gojek-id',
      buildQris({ '51': encode([tag('00', 'ID.CO.QRIS.WWW'), tag('02', 'AID711168620187')]) }),
      'national merchant ID',
    ],
    [
      'no merchant id',
      'instapay',
      buildMerchantQrPh({ '28': encode([tag('00', 'ph.ppmi.p2m'), tag('01', 'PAPHPHM1XXX')]) }),
      'merchant ID',
    ],
    [
      'no room for an amount',
      'duit-now',
      buildDuitNowCode({
        '80': 'x'.repeat(99),
        '81': 'x'.repeat(99),
        '83': 'x'.repeat(99),
        '84': 'x'.repeat(50),
      }),
      'too long',
    ],
  ])('with the reason for %s (%s)', (_, method, staticQrCode, reason) => {
    const error = catchDomainError(() => getScheme(method).parseDetails({ staticQrCode }));
    expect(error.code).toBe('receiving_account_invalid');
    expect(error.inputErrors).toEqual([{ path: '/staticQrCode', message: expect.stringContaining(reason) }]);
  });

  test('if it is a VietQR code that pays a card, or a code of another scheme', () => {
    const card = vectors['VQ-1'].replace('QRIBFTTA', 'QRIBFTTC');
    const cardCode = withCrcTag(card.slice(0, -8), '63');
    const parse = schemes['viettel-pay'].parseDetails;
    expect(catchDomainError(() => parse({ staticQrCode: cardCode, bank: 'ACB' })).message).toContain(
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
