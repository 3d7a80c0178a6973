import { expect, test } from 'vitest';
import type { ReceivingAccount } from '../../../prisma/client/client.ts';
import { resolveAccount } from '../../../src/domain/money-in/transfer/parse-items.ts';

const accounts = (
  [
    ['dotted', 'in-bank-transfer', 'shop.a@okbank'],
    ['plain', 'in-bank-transfer', 'shopa@okbank'],
    ['anz', 'nz-bank-transfer', '01-0902-0068389-00'],
    ['hsbc', 'fps', '+85251234567'],
    ['any bank', 'fps', '+85251234567'],
    ['old', 'toss', '092-100012345678', 'retired'],
    ['new', 'toss', '092-100012345678'],
    ['small', 'au-bank-transfer', 'pay@example.com'],
    ['large', 'au-bank-transfer', 'PAY@example.com'],
  ] as const
).map(
  ([id, method, account, status = 'active']) =>
    ({ id, method, account, status }) as unknown as ReceivingAccount,
);

test.each([
  ['in-bank-transfer', 'shopa@okbank', 'plain'],
  ['in-bank-transfer', ' SHOP.A@OKBANK ', 'dotted'],
  ['nz-bank-transfer', '01 0902 0068389 000', 'anz'],
  ['nz-bank-transfer', '010902006838900', 'anz'],
  ['toss', '092 1000-1234-5678', 'new'],
  ['au-bank-transfer', 'PAY@example.com', 'large'],
])('a feed that says %s %s means the account %s', (method, account, id) => {
  expect(resolveAccount(accounts, { method, account }).id).toBe(id);
});

test.each([
  ['in-bank-transfer', 'shop-a@okbank', 'must identify one of your receiving accounts'],
  ['in-bank-transfer', undefined, 'must identify one of your receiving accounts'],
  [undefined, 'shopa@okbank', 'must identify one of your receiving accounts'],
  ['fps', '+852 5123 4567', 'matches several receiving accounts: use receivingAccountId (hsbc, any bank)'],
  ['au-bank-transfer', 'Pay@Example.com', 'matches several receiving accounts'],
])('one that says %s %s names none, or several', (method, account, message) => {
  expect(() => resolveAccount(accounts, { method, account })).toThrow(message);
});

test('the id says which of several is meant', () => {
  expect(resolveAccount(accounts, { receivingAccountId: 'hsbc' }).id).toBe('hsbc');
});
