import { describe, expect, test } from 'vitest';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { getScheme } from '../../src/method/schemes.ts';

const bank = 'A Bank';

describe('details of one account have one identity, however they are spelled', () => {
  const identityOf = (method: MethodCode, details: object) => {
    const scheme = getScheme(method);
    return scheme.getIdentity(scheme.parseDetails(details));
  };
  const gcash = { bic: 'GXCHPHM2XXX', account: 'ab1234', bank };
  const vietQr = { bin: '970436', account: 'abc123', bank };

  test.each<[MethodCode, object, object]>([
    ['fps', { email: 'pay@example.com' }, { email: 'PAY@example.com', bank }],
    ['viettel-pay', vietQr, { ...vietQr, account: 'ABC123' }],
    ['duit-now', getScheme('duit-now').demoDetails, { ...getScheme('duit-now').demoDetails, account: '7' }],
    ['instapay', gcash, { ...gcash, mobile: '0917 123 4567', account: 'AB1234' }],
    ['in-bank-transfer', { vpa: 'shop@okbank' }, { vpa: 'SHOP@okbank' }],
    ['gojek-id', getScheme('gojek-id').demoDetails, { ...getScheme('gojek-id').demoDetails, bank }],
    ['au-bank-transfer', { email: 'pay@example.com' }, { email: 'Pay@example.com' }],
    ['nz-bank-transfer', { account: '01-0902-0068389-00', bank }, { account: '01-0902-0068389-000', bank }],
  ])('%s %j and %j', (method, one, same) => {
    expect(identityOf(method, same)).toBe(identityOf(method, one));
  });

  test.each<[MethodCode, object, object]>([
    ['fps', { mobile: '51234567' }, { mobile: '51234567', bankCode: '004' }],
    ['prompt-pay', { billerId: '099300045304207' }, { billerId: '099300045304207', reference2: 'SHOP1' }],
    ['prompt-pay', { billerId: '140000812345678' }, { eWalletId: '140000812345678' }],
    ['in-bank-transfer', { vpa: 'shop.a@okbank' }, { vpa: 'shopa@okbank' }],
  ])('of two accounts two: %s %j and %j', (method, one, other) => {
    expect(identityOf(method, other)).not.toBe(identityOf(method, one));
  });
});
