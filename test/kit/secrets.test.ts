import { describe, expect, test } from 'vitest';
import { fingerprint, makeKeyring, makeSecrets, sameText } from '../../src/kit/secrets.ts';

const first = 'a secret of at least thirty-two characters';
const second = 'another secret of thirty-two characters!';
const secrets = makeSecrets(first);

describe('what is stored encrypted', () => {
  test('comes back as it was, and never looks the same twice', () => {
    const [one, two] = [secrets.seal('pässword'), secrets.seal('pässword')];
    expect(one).not.toBe(two);
    expect(secrets.unseal(one)).toBe('pässword');
  });

  test('is not opened with another secret', () => {
    const sealed = secrets.seal('password');
    const other = makeSecrets(second);
    expect(() => other.unseal(sealed)).toThrow(`not known here (${fingerprint(first)})`);
    const [version, , data = ''] = sealed.split('.');
    // Told to be of the other secret, it does not open either.
    expect(() => other.unseal(`${version}.${fingerprint(second)}.${data}`)).toThrow(/authenticate/);
    expect(() => secrets.unseal('v3.none')).toThrow('unknown version');
  });

  test('is opened with its whole tag only, and when no bit has changed', () => {
    const [version, name, data = ''] = secrets.seal('a secret').split('.');
    const open = (bytes: Buffer) => secrets.unseal(`${version}.${name}.${bytes.toString('base64url')}`);
    const bytes = Buffer.from(data, 'base64url');
    for (const length of [12, 16, 20, 24, 27])
      expect(() => open(bytes.subarray(0, length))).toThrow(/auth|tag/i);
    expect(open(bytes)).toBe('a secret');
    // Of its initialisation, its tag and itself each byte counts.
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => open(changed), `byte ${at}`).toThrow(/authenticate/);
    }
  });

  test('opens under a secret of before, also where it names none, and is sealed under the one in force', () => {
    const known = makeKeyring({ inForce: first });
    const [, , data] = known.seal('password').split('.');
    known.use({ inForce: second, opening: [first] });
    expect([known.unseal(secrets.seal('password')), known.unseal(`v1.${data}`)]).toEqual([
      'password',
      'password',
    ]);
    expect(makeSecrets(second).unseal(known.seal('word'))).toBe('word');
    expect(() => makeSecrets(second).unseal(`v1.${data}`)).toThrow('not known here');
    // Known once, it opens for as long as the process lives.
    known.use({ inForce: second });
    expect([known.unseal(secrets.seal('password')), known.opens(fingerprint(first))]).toEqual([
      'password',
      true,
    ]);
  });
});

test('signatures count under the secrets that are accepted, those only', () => {
  const known = makeKeyring({ inForce: second, accepted: [first, second], opening: ['a third secret'] });
  expect(known.signatures('page', 'x')).toEqual([
    makeSecrets(second).sign('page', 'x'),
    makeSecrets(first).sign('page', 'x'),
  ]);
  expect(known.sign('page', 'x')).toEqual(makeSecrets(second).sign('page', 'x'));
});

test('signatures of one purpose are worth nothing for another', () => {
  expect(secrets.sign('cancel-token', 'ch_1')).not.toEqual(secrets.sign('client-token', 'ch_1'));
});

test('texts are compared whole', () => {
  expect(sameText('abc', 'abc')).toBe(true);
  expect(sameText('abc', 'abcd')).toBe(false);
  expect(sameText('abc', 'abd')).toBe(false);
});
