import { describe, expect, test } from 'vitest';
import { parseEmail, parsePhone } from '../../src/kit/contact.ts';

const invalidAt = (path: string) =>
  expect.objectContaining({ code: 'invalid_request', inputErrors: [expect.objectContaining({ path })] });

describe('e-mail addresses', () => {
  test.each(['ada@example.com', 'a.b+c@sub.example.co.uk', "o'neil@example.com"])('%s is taken', (email) => {
    expect(parseEmail(email, '/email')).toBe(email);
  });
  test.each([
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@example',
    'a@b@example.com',
    `${'x'.repeat(250)}@e.com`,
  ])('%s is refused', (email) => {
    expect(() => parseEmail(email, '/email')).toThrow(invalidAt('/email'));
  });
});

describe('phone numbers', () => {
  test.each([
    [{ code: '+852', phone: '5123 4567' }, '+85251234567'],
    [{ code: '+65', phone: '8123-4567' }, '+6581234567'],
    [{ code: '852', phone: '51234567' }, '+85251234567'],
  ])('%o is %s', (input, e164) => expect(parsePhone(input, '/phone')).toBe(e164));
  test.each([
    { code: '+852', phone: '12' },
    { code: '+999', phone: '51234567' },
    { code: '', phone: '51234567' },
    { code: '+852', phone: 'abc' },
  ])('%o is refused', (input) => {
    expect(() => parsePhone(input, '/phone')).toThrow(invalidAt('/phone'));
  });
});
