import { describe, expect, test } from 'vitest';
import { makeSecrets, sameText } from '../../src/kit/secrets.ts';

const secrets = makeSecrets('a secret of at least thirty-two characters');

describe('what is stored encrypted', () => {
  test('comes back as it was, and never looks the same twice', () => {
    const [one, two] = [secrets.seal('pässword'), secrets.seal('pässword')];
    expect(one).not.toBe(two);
    expect(secrets.unseal(one)).toBe('pässword');
  });

  test('is not opened with another secret, nor when a bit has changed', () => {
    const sealed = secrets.seal('password');
    expect(() => makeSecrets('another secret of thirty-two characters!').unseal(sealed)).toThrow();
    const [version, data = ''] = sealed.split('.');
    const bytes = Buffer.from(data, 'base64url');
    bytes[bytes.length - 1]! ^= 1;
    expect(() => secrets.unseal(`${version}.${bytes.toString('base64url')}`)).toThrow();
  });
});

test('signatures of one purpose are worth nothing for another', () => {
  expect(secrets.sign('cancel-token', 'ch_1')).not.toEqual(secrets.sign('client-token', 'ch_1'));
});

test('texts are compared whole', () => {
  expect(sameText('abc', 'abc')).toBe(true);
  expect(sameText('abc', 'abcd')).toBe(false);
});
