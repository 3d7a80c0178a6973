import { describe, expect, test } from 'vitest';
import { schemes } from '../../src/method/schemes.ts';
import { codeFor, money } from './code-for.ts';
import { comparable, fieldsOf } from './read-code.ts';
import { vectors } from './vectors.ts';

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
      const code = codeFor('duit-now', { staticQrCode: base }, { minor: 2550n, nonce: 'BREAD2345' });
      expect(fieldsOf(code)).toEqual({
        ...fieldsOf(base),
        '01': '12',
        '54': '25.50',
        '62': { '05': 'BREAD2345' },
      });
      expect(code.startsWith('000202010212')).toBe(true);
    }
    const base = vectors['QRIS-2 real, static'];
    const code = codeFor('gojek-id', { staticQrCode: base }, { minor: 1_500_000n, nonce: 'BREAD2345' });
    expect(code.slice(0, -4)).toBe(
      base.slice(0, -4).replace('010211', '010212').replace('5802ID', '5405150005802ID'),
    );
  });
});
