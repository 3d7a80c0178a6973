import fc from 'fast-check';
import { validate } from 'promptparse';
import { describe, expect, test } from 'vitest';
import type { Money } from '../../src/kit/money.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalogue.ts';
import { asciiText } from '../../src/method/emv.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyNonce } from './any-nonce.ts';
import { codeFor } from './code-for.ts';
import { expectOthersAgree, fieldsOf } from './read-code.ts';
import { receivers } from './receivers.ts';

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
    const payment = { minor: 4200n, nonce: 'BREAD2345' };
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
      ref1: 'BREAD2345',
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
    const payment = { amount, paymentReference: 'BREAD2345', holder: 'x', demo: true };
    expect(() => scheme.qrCode(scheme.demoDetails, payment)).toThrow(reason);
  });
});
