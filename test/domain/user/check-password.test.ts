import { describe, expect, test } from 'vitest';
import { checkPassword } from '../../../src/domain/accounts/user/check-password.ts';

const check = (password: string) =>
  checkPassword(password, { email: 'mei.chan@example.com', path: '/password' });

describe('a password', () => {
  test.each([
    'tea leaves at dawn',
    'Zx9-Kb7-Zx9-Kb',
    '茶葉茶葉在清晨的海港邊上',
    'correct horse battery staple and more',
    `${'a'.repeat(50)} bcdefg`,
  ])('%s is fine: length is what counts, no mixture is asked for', (password) => {
    expect(check(password)).toBe(password);
  });

  test.each([
    ['elevenchars', 'at least 12'],
    ['x'.repeat(129), 'at most 128'],
    ['mei.chan@example.com', 'email address'],
    ['Mei.Chan@Example.com!', 'email address'],
    ['MeiChan123456', 'email address'],
    ['password1234', 'too common'],
    ['P@ssw0rd2026!', 'too common'],
    ['passwordpassword', 'too common'],
    ['Welcome123456', 'too common'],
    ['qwertyuiop123', 'too common'],
    ['1234567890123', 'too common'],
    ['abcdefghijklm', 'too common'],
    ['0987654321098', 'too common'],
    ['aaaaaaaaaaaaa', 'too common'],
    ['causeway-2026', 'too common'],
    ['correcthorsebatterystaple', 'too common'],
    ['a\0bcdefghijklmnop', 'U+0000'],
  ])('%s is refused: %s', (password, why) => {
    expect(() => check(password)).toThrow(why);
  });
});
