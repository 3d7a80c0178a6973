import { encode, tag, withCrcTag } from 'promptparse';
import { describe, expect, test } from 'vitest';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { getScheme, schemes } from '../../src/method/schemes.ts';
import { codeFor } from './code-for.ts';
import { expectOthersAgree, fieldsOf, refusalOf } from './read-code.ts';
import { vectors } from './vectors.ts';

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
    { minor: 1_234_500n, nonce: 'BREAD2345', holder: 'Holder', demo },
  );
  expectOthersAgree(code);
  return code;
}

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
        '62': { '05': 'BREAD2345' },
      });
      const added = ['540812345.00', '62130509BREAD2345'];
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
    expect(fieldsOf(fill('duit-now', base))['62']).toEqual({ '03': 'STORE', '05': 'BREAD2345', '07': 'T1' });
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

describe('a code that cannot serve is refused with the reason', () => {
  test.each<[string, MethodCode, string, string]>([
    ['not a code', 'duit-now', 'https://example.com/pay', 'not a valid payment code'],
    ['a changed character', 'duit-now', duitNowCode().replace('KEDAI', 'KEDAL'), 'checksum'],
    ['cut short', 'duit-now', duitNowCode().slice(0, -10), 'checksum'],
    ['another country’s code', 'duit-now', vectors['FPS-1'], 'must be a DuitNow QR'],
    ['a QRIS for DuitNow', 'duit-now', qris(), 'must be a DuitNow QR'],
    ['a DuitNow code for QRIS', 'gojek-id', duitNowCode(), 'must be a QRIS'],
    [
      'a code between persons for QR Ph merchants',
      'instapay',
      vectors['QRPH-1'],
      'must be a QR Ph for merchants',
    ],
    ['a dynamic DuitNow code', 'duit-now', duitNowCode({ '01': '12' }), 'static'],
    ['a dynamic QRIS (QRIS-1)', 'gojek-id', vectors['QRIS-1 dynamic'], 'static'],
    ['a dynamic QR Ph (QRPH-2)', 'instapay', vectors['QRPH-2 real, for merchants'], 'static'],
    ['another currency', 'duit-now', duitNowCode({ '53': '702' }), 'currency 458'],
    ['no currency', 'duit-now', duitNowCode({ '53': undefined }), 'currency 458'],
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
      'QR id',
    ],
    [
      'the AID of a web page that PayNet contradicts',
      'duit-now',
      duitNowCode({ '26': encode([tag('00', 'A000000693010011'), tag('01', '501664'), tag('02', '1')]) }),
      'must be a DuitNow QR',
    ],
    [
      'no national merchant id',
      'gojek-id',
      qris({ '51': encode([tag('00', 'ID.CO.QRIS.WWW')]) }),
      'national merchant id',
    ],
    [
      'a national merchant id of another form',
      'gojek-id',
      qris({ '51': encode([tag('00', 'ID.CO.QRIS.WWW'), tag('02', 'AID711168620187')]) }),
      'national merchant id',
    ],
    [
      'no merchant id',
      'instapay',
      merchantQrPh({ '28': encode([tag('00', 'ph.ppmi.p2m'), tag('01', 'PAPHPHM1XXX')]) }),
      'merchant id',
    ],
    [
      'no room for an amount',
      'duit-now',
      duitNowCode({ '80': 'x'.repeat(99), '81': 'x'.repeat(99), '83': 'x'.repeat(99), '84': 'x'.repeat(50) }),
      'too long',
    ],
  ])('%s (%s)', (_, method, staticQrCode, reason) => {
    const refusal = refusalOf(() => getScheme(method).parseDetails({ staticQrCode }));
    expect(refusal.code).toBe('receiving_account_invalid');
    expect(refusal.inputErrors).toEqual([
      { path: '/staticQrCode', message: expect.stringContaining(reason) },
    ]);
  });

  test('a VietQR that pays a card, or no one', () => {
    const card = vectors['VQ-1'].replace('QRIBFTTA', 'QRIBFTTC');
    const signed = withCrcTag(card.slice(0, -8), '63');
    const parse = schemes['viettel-pay'].parseDetails;
    expect(refusalOf(() => parse({ staticQrCode: signed, bank: 'ACB' })).message).toContain('not a card');
    expect(refusalOf(() => parse({ staticQrCode: vectors['FPS-1'], bank: 'ACB' })).message).toContain(
      'must be a VietQR',
    );
    expect(refusalOf(() => parse({ staticQrCode: card, bank: 'ACB' })).inputErrors[0]?.path).toBe(
      '/staticQrCode',
    );
  });
});
