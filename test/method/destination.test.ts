import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { createDestination } from '../../src/method/destination.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyText } from './any-text.ts';
import { fieldsOf } from './read-code.ts';

const rupees = { minor: 49_900n, currency: 'INR' };
const vpa = { vpa: 'shop.1@okbank' };

describe('the destination of a charge', () => {
  test('holds the code, the account, the holder, the bank and the nonce', () => {
    const destination = createDestination({
      method: 'paynow',
      details: { uen: '209900000Z' },
      holder: 'Bánh Mì Pte Ltd',
      amount: { minor: 1250n, currency: 'SGD' },
      paymentReference: 'BREAD2345',
      demo: false,
    });
    expect(destination).toEqual({
      qrCode: expect.stringMatching(/^000201/),
      account: '209900000Z',
      nonce: 'BREAD2345',
      accountName: 'Bánh Mì Pte Ltd',
      bank: 'PayNow',
    });
    expect(fieldsOf(destination.qrCode)).toMatchObject({
      '54': '12.50',
      '59': 'Banh Mi Pte Ltd',
      '62': { '01': 'BREAD2345' },
    });
  });

  test('shows the bank that is given in place of that of the details', () => {
    const input = {
      method: 'in-bank-transfer',
      details: { ...vpa, bank: 'Details Bank' },
      holder: 'Shop',
      amount: rupees,
      paymentReference: 'BREAD2345',
      demo: false,
    } as const;
    expect(createDestination({ ...input, bank: 'Given Bank' }).bank).toBe('Given Bank');
    for (const none of [undefined, null, ''])
      expect(createDestination({ ...input, bank: none }).bank).toBe('Details Bank');
  });

  test.each(methodCodes)('%s: made from the demo account it says DEMO, and no name of a holder', (method) => {
    const { currency } = paymentMethods[method];
    const destination = createDestination({
      method,
      details: getScheme(method).demoDetails,
      holder: 'Real Holder',
      amount: { minor: 123_400n, currency },
      paymentReference: 'BREAD2345',
      demo: true,
    });
    expect(destination.account).toMatch(/\S/);
    expect(destination.bank).toMatch(/\S/);
    if (destination.qrCode !== '') expect(destination.qrCode).toMatch(/DEMO/);
    expect(destination.qrCode + (destination.deepLink ?? '')).not.toContain('Real');
    // Stored as JSON.
    expect(JSON.parse(JSON.stringify(destination))).toEqual(destination);
  });

  test('has no QR code where there is no standard for one, and a link only where an app takes one', () => {
    const made = Object.fromEntries(
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
            paymentReference: 'BREAD2345',
            demo: true,
          }),
        ];
      }),
    );
    expect(methodCodes.filter((method) => made[method]?.qrCode === '')).toEqual([
      'hk-bank-transfer',
      'id-bank-transfer',
      'au-bank-transfer',
      'nz-bank-transfer',
    ]);
    expect(methodCodes.filter((method) => made[method]?.deepLink !== undefined)).toEqual([
      'in-bank-transfer',
      'toss',
    ]);
  });

  test('tells which payments come without their nonce', () => {
    expect(
      methodCodes.filter((method) => !getScheme(method).carriesReference(getScheme(method).demoDetails)),
    ).toEqual(['gojek-id', 'toss']);
  });
});

describe('UPI links', () => {
  const make = (details: object, holder: string, demo = false) =>
    createDestination({
      method: 'in-bank-transfer',
      details,
      holder,
      amount: rupees,
      paymentReference: 'BREAD2345',
      demo,
    });

  test('carry payee, name, amount, currency, note and reference, and nothing that is not ours to send', () => {
    const { qrCode, deepLink } = make(vpa, 'Tea & Toast = 100%');
    expect(deepLink).toBe(qrCode);
    const url = new URL(qrCode);
    expect(`${url.protocol}//${url.host}${url.pathname}`).toBe('upi://pay');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      pa: 'shop.1@okbank',
      pn: 'Tea & Toast = 100%',
      am: '499.00',
      cu: 'INR',
      tn: 'BREAD2345',
      tr: 'BREAD2345',
    });
    expect(qrCode).toContain('pa=shop.1@okbank&');
    expect(qrCode).not.toContain('+');
  });

  test('pay into an account by its IFSC', () => {
    const url = new URL(
      make({ ifsc: 'HDFC0000001', account: '50100012345678', bank: 'HDFC Bank' }, 'Shop').qrCode,
    );
    expect(url.searchParams.get('pa')).toBe('50100012345678@HDFC0000001.ifsc.npci');
  });

  test('name DEMO in a demo', () => {
    expect(new URL(make(vpa, 'Shop', true).qrCode).searchParams.get('pn')).toBe('DEMO');
  });

  test('are well-formed for any name of a holder', () => {
    fc.assert(
      fc.property(anyText(80), (holder) => {
        const { qrCode } = make(vpa, holder);
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
  const make = (demo: boolean) =>
    createDestination({
      method: 'toss',
      details: { bankCode: '092', account: '100012345678', bank: 'Toss Bank' },
      holder: '가게',
      amount: { minor: 15_000n, currency: 'KRW' },
      paymentReference: 'BREAD2345',
      demo,
    });

  test('carry bank, account and whole won', () => {
    const { qrCode, deepLink } = make(false);
    expect(deepLink).toBe(qrCode);
    const url = new URL(qrCode);
    expect(`${url.protocol}//${url.host}${url.pathname}`).toBe('supertoss://send');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      amount: '15000',
      bank: '092',
      accountNo: '100012345678',
    });
  });

  test('say DEMO in a demo', () => {
    expect(new URL(make(true).qrCode).searchParams.get('origin')).toBe('DEMO');
  });
});
