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
    ['mei.chan@example.com', 'e-mail'],
    ['Mei.Chan@Example.com!', 'e-mail'],
    ['MeiChan123456', 'e-mail'],
    ['password1234', 'guessed first'],
    ['P@ssw0rd2026!', 'guessed first'],
    ['passwordpassword', 'guessed first'],
    ['Welcome123456', 'guessed first'],
    ['qwertyuiop123', 'guessed first'],
    ['1234567890123', 'guessed first'],
    ['abcdefghijklm', 'guessed first'],
    ['0987654321098', 'guessed first'],
    ['aaaaaaaaaaaaa', 'guessed first'],
    ['causeway-2026', 'guessed first'],
    ['correcthorsebatterystaple', 'guessed first'],
    ['a\0bcdefghijklmnop', 'U+0000'],
  ])('%s is refused: %s', (password, why) => {
    expect(() => check(password)).toThrow(why);
  });
});
