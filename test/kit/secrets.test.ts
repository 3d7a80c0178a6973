import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DataKey,
  type DataKeys,
  getFingerprint,
  isSameText,
  newDataKey,
  openKeyring,
  StaleDataKeys,
  unwrapDataKey,
  wrapDataKey,
} from '../../src/kit/secrets.ts';
import { type SigningPurpose, type SigningScope, signingPurposes } from '../../src/kit/signing-purposes.ts';
import {
  createTotpCode,
  createTotpUri,
  findTotpStep,
  fromBase32,
  getTotpStep,
  newTotpSecret,
  toBase32,
} from '../../src/kit/totp.ts';
import { count } from '../setup/counts.ts';

describe('Keyring', async () => {
  const [first, second] = [newDataKey(), newDataKey()];
  const createKeyring = (current: DataKey, others: DataKey[] = []) =>
    openKeyring(async () => ({ current, others }));
  const column = 'webhook.password_encrypted';
  const secrets = await createKeyring(first);

  describe('an encrypted value', () => {
    test('decrypts to its plain text, contains the id of its data key, and differs each time', async () => {
      const [encrypted, encryptedAgain] = [
        secrets.encrypt('pässword', column, 'wh_1'),
        secrets.encrypt('pässword', column, 'wh_1'),
      ];
      expect(encrypted).not.toBe(encryptedAgain);
      expect(encrypted.startsWith(`${first.id}.`)).toBe(true);
      expect(await secrets.decrypt(encrypted, column, 'wh_1')).toBe('pässword');
    });

    test('is bound to its column and row', async () => {
      const value = secrets.encrypt('password', column, 'wh_1');
      for (const [otherColumn, row] of [
        [column, 'wh_2'],
        ['webhook.signing_secret_encrypted', 'wh_1'],
      ] as const)
        await expect(secrets.decrypt(value, otherColumn, row)).rejects.toThrow(
          `${otherColumn}:${row} cannot be decrypted: the value was changed, or belongs to another row`,
        );
    });

    test('cannot be decrypted with another or a deleted data key', async () => {
      const value = secrets.encrypt('password', column, 'wh_1');
      const other = await createKeyring(second);
      const renamed = value.replace(first.id, second.id);
      await expect(other.decrypt(renamed, column, 'wh_1')).rejects.toThrow('cannot be decrypted');
      await expect(other.decrypt(value, column, 'wh_1')).rejects.toThrow(
        `a data key that no longer exists (${first.id})`,
      );
    });

    test('cannot be decrypted with a shortened tag or a changed bit', async () => {
      const [id, data = ''] = secrets.encrypt('a secret', column, 'wh_1').split('.');
      const decrypt = (bytes: Buffer) =>
        secrets.decrypt(`${id}.${bytes.toString('base64url')}`, column, 'wh_1');
      const bytes = Buffer.from(data, 'base64url');
      for (const length of [0, 12, 16, 20, 24, 27])
        await expect(decrypt(bytes.subarray(0, length))).rejects.toThrow('cannot be decrypted');
      expect(await decrypt(bytes)).toBe('a secret');
      for (const byteIndex of bytes.keys()) {
        const changed = Buffer.from(bytes);
        changed[byteIndex]! ^= 1;
        await expect(decrypt(changed), `byte ${byteIndex}`).rejects.toThrow('cannot be decrypted');
      }
    });

    test('of an unknown data key causes one reload of the keys for all callers', async () => {
      let keys: DataKeys = { current: first, others: [] };
      let reads = 0;
      const behind = await openKeyring(async () => {
        reads++;
        return keys;
      });
      const ahead = await createKeyring(second, [first]);
      keys = { current: second, others: [first] };
      const values = Array.from({ length: 5 }, (_, i) => ahead.encrypt(`word ${i}`, column, 'wh_1'));
      const read = await Promise.all(values.map((value) => behind.decrypt(value, column, 'wh_1')));
      expect([read, reads]).toEqual([['word 0', 'word 1', 'word 2', 'word 3', 'word 4'], 2]);
      expect(behind.encrypt('word', column, 'wh_1').startsWith(`${second.id}.`)).toBe(true);
    });

    test('remains readable while a reload fails, and nothing is encrypted until it succeeds', async () => {
      let isDown = false;
      const keyring = await openKeyring(async () => {
        if (isDown) throw new Error('the database is down');
        return { current: first, others: [] };
      });
      const value = keyring.encrypt('word', column, 'wh_1');
      isDown = true;
      await expect(keyring.reload()).rejects.toThrow('the database is down');
      expect(await keyring.decrypt(value, column, 'wh_1')).toBe('word');
      expect(() => keyring.encrypt('word', column, 'wh_1')).toThrow(StaleDataKeys);
      isDown = false;
      await keyring.reload();
      expect(keyring.encrypt('word', column, 'wh_1').startsWith(`${first.id}.`)).toBe(true);
    });
  });

  describe('a signature', () => {
    test('is valid under the current data key and the others', async () => {
      const both = await createKeyring(second, [first]);
      const text = 'ch_1';
      const signatures = [await createKeyring(second), secrets].map((signer) =>
        signer.sign('cancel-token', 'live', text),
      );
      expect(
        both.listSignatures('cancel-token', 'live', text).map((signature) => signature.toString('base64url')),
      ).toEqual(signatures);
      for (const signature of signatures)
        expect(both.verify('cancel-token', 'live', { text, signature })).toBe(true);
      expect(secrets.verify('cancel-token', 'live', { text, signature: signatures[0]! })).toBe(false);
    });

    test('differs for each purpose and mode', () => {
      const all = Object.entries(signingPurposes).flatMap(([purpose, kind]) =>
        (kind === 'mode' ? ['live', 'sandbox'] : ['installation']).map((scope) =>
          secrets.sign(purpose as SigningPurpose, scope as SigningScope<SigningPurpose>, 'text'),
        ),
      );
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBeGreaterThan(15);
    });
  });

  test('a data key can be unwrapped only with its secret and its id', () => {
    const [secret, other] = [
      'a secret of at least thirty-two characters',
      'another secret of that many characters',
    ];
    const wrappedKey = wrapDataKey(secret, first);
    expect(unwrapDataKey(secret, { id: first.id, wrappedKey })).toEqual(first);
    expect(() => unwrapDataKey(other, { id: first.id, wrappedKey })).toThrow('cannot be decrypted');
    expect(() => unwrapDataKey(secret, { id: second.id, wrappedKey })).toThrow('cannot be decrypted');
    expect(wrappedKey).not.toContain(first.bytes.toString('base64url'));
    expect([getFingerprint(secret), getFingerprint(other)]).toEqual([
      getFingerprint(secret),
      expect.not.stringMatching(getFingerprint(secret)),
    ]);
  });

  test('isSameText compares complete texts', () => {
    expect(isSameText('abc', 'abc')).toBe(true);
    expect(isSameText('abc', 'abcd')).toBe(false);
    expect(isSameText('abc', 'abd')).toBe(false);
  });
});

describe('TOTP', () => {
  /** The secret of the test vectors of both RFCs. */
  const secret = toBase32(Buffer.from('12345678901234567890'));
  const otherSecret = toBase32(Buffer.from('09876543210987654321'));

  describe('codes', () => {
    // RFC 4226, appendix D.
    test('equal those of the RFC', () => {
      expect(Array.from({ length: 10 }, (_, step) => createTotpCode(secret, step))).toEqual([
        '755224',
        '287082',
        '359152',
        '969429',
        '338314',
        '254676',
        '287922',
        '162583',
        '399871',
        '520489',
      ]);
    });

    // RFC 6238, appendix B, has 8 digits, of which our codes are the last 6.
    test.each([
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ])('at %i seconds that of the RFC for times', (seconds, code) => {
      const step = getTotpStep(new Date(seconds * 1_000));
      expect(createTotpCode(secret, step)).toBe(code.slice(2));
    });
  });

  describe('the step of a code', () => {
    const now = new Date('2026-11-17T12:00:10Z');
    const present = getTotpStep(now);

    test.each([-2, -1, 0, 1, 2])('is found if it is at most one step away: %i', (off) => {
      const foundStep = findTotpStep(secret, createTotpCode(secret, present + off), now);
      expect(foundStep).toBe(Math.abs(off) <= 1 ? present + off : undefined);
    });

    test('is not found with another secret', () => {
      expect(findTotpStep(otherSecret, createTotpCode(secret, present), now)).toBeUndefined();
    });
  });

  describe('secrets', () => {
    test('are 160 random bits in base 32', () => {
      expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
      expect(newTotpSecret()).not.toBe(newTotpSecret());
    });

    // RFC 4648, section 10, without the padding.
    test.each([
      ['', ''],
      ['f', 'MY'],
      ['fo', 'MZXQ'],
      ['foo', 'MZXW6'],
      ['foob', 'MZXW6YQ'],
      ['fooba', 'MZXW6YTB'],
      ['foobar', 'MZXW6YTBOI'],
    ])('base 32 of %j is %j', (text, encoded) => {
      expect(toBase32(Buffer.from(text))).toBe(encoded);
      expect(fromBase32(encoded).toString()).toBe(text);
    });

    test('are equal after encoding in base 32 and decoding', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
          expect([...fromBase32(toBase32(bytes))]).toEqual([...bytes]);
        }),
        { numRuns: count(200, 10_000) },
      );
    });

    test('are sent to the app in a URL with service and account', () => {
      const uri = new URL(createTotpUri({ secret, issuer: 'Causeway', account: 'mei+1@example.com' }));
      expect(uri.href).toBe(
        `otpauth://totp/Causeway:mei%2B1%40example.com?secret=${secret}&issuer=Causeway&algorithm=SHA1&digits=6&period=30`,
      );
    });
  });
});
