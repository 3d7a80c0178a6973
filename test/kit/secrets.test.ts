import { describe, expect, test } from 'vitest';
import {
  type DataKey,
  type DataKeys,
  fingerprint,
  isSameText,
  newDataKey,
  openKeyring,
  type SigningPurpose,
  type SigningScope,
  StaleDataKeys,
  signingPurposes,
  unwrapDataKey,
  wrapDataKey,
} from '../../src/kit/secrets.ts';

const [first, second] = [newDataKey(), newDataKey()];
const keyring = (current: DataKey, others: DataKey[] = []) => openKeyring(async () => ({ current, others }));
const column = 'webhook.password_encrypted';
const secrets = await keyring(first);

describe('an encrypted value', () => {
  test('decrypts to what it was, names its data key, and never looks the same twice', async () => {
    const [one, two] = [
      secrets.encrypt('pässword', column, 'wh_1'),
      secrets.encrypt('pässword', column, 'wh_1'),
    ];
    expect(one).not.toBe(two);
    expect(one.startsWith(`${first.id}.`)).toBe(true);
    expect(await secrets.decrypt(one, column, 'wh_1')).toBe('pässword');
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

  test('does not decrypt under another data key, nor under one that is gone', async () => {
    const value = secrets.encrypt('password', column, 'wh_1');
    const other = await keyring(second);
    const renamed = value.replace(first.id, second.id);
    await expect(other.decrypt(renamed, column, 'wh_1')).rejects.toThrow('cannot be decrypted');
    await expect(other.decrypt(value, column, 'wh_1')).rejects.toThrow(
      `a data key that no longer exists (${first.id})`,
    );
  });

  test('decrypts with its whole tag only, and only while no bit has changed', async () => {
    const [id, data = ''] = secrets.encrypt('a secret', column, 'wh_1').split('.');
    const decrypt = (bytes: Buffer) =>
      secrets.decrypt(`${id}.${bytes.toString('base64url')}`, column, 'wh_1');
    const bytes = Buffer.from(data, 'base64url');
    for (const length of [0, 12, 16, 20, 24, 27])
      await expect(decrypt(bytes.subarray(0, length))).rejects.toThrow('cannot be decrypted');
    expect(await decrypt(bytes)).toBe('a secret');
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      await expect(decrypt(changed), `byte ${at}`).rejects.toThrow('cannot be decrypted');
    }
  });

  test('under a data key that the process does not know makes it read the keys again, once for all that wait', async () => {
    let keys: DataKeys = { current: first, others: [] };
    let reads = 0;
    const behind = await openKeyring(async () => {
      reads++;
      return keys;
    });
    const ahead = await keyring(second, [first]);
    keys = { current: second, others: [first] };
    const values = Array.from({ length: 5 }, (_, i) => ahead.encrypt(`word ${i}`, column, 'wh_1'));
    const read = await Promise.all(values.map((value) => behind.decrypt(value, column, 'wh_1')));
    expect([read, reads]).toEqual([['word 0', 'word 1', 'word 2', 'word 3', 'word 4'], 2]);
    expect(behind.encrypt('word', column, 'wh_1').startsWith(`${second.id}.`)).toBe(true);
  });

  test('stays readable while the keys cannot be read again, and nothing is encrypted until the next read succeeds', async () => {
    let isDown = false;
    const own = await openKeyring(async () => {
      if (isDown) throw new Error('the database is down');
      return { current: first, others: [] };
    });
    const value = own.encrypt('word', column, 'wh_1');
    isDown = true;
    await expect(own.reload()).rejects.toThrow('the database is down');
    expect(await own.decrypt(value, column, 'wh_1')).toBe('word');
    expect(() => own.encrypt('word', column, 'wh_1')).toThrow(StaleDataKeys);
    isDown = false;
    await own.reload();
    expect(own.encrypt('word', column, 'wh_1').startsWith(`${first.id}.`)).toBe(true);
  });
});

describe('a signature', () => {
  test('is valid under the current data key and the others', async () => {
    const both = await keyring(second, [first]);
    const text = 'ch_1';
    const signatures = [await keyring(second), secrets].map((one) => one.sign('cancel-token', 'live', text));
    expect(both.signatures('cancel-token', 'live', text).map((one) => one.toString('base64url'))).toEqual(
      signatures,
    );
    for (const signature of signatures)
      expect(both.verify('cancel-token', 'live', { text, signature })).toBe(true);
    expect(secrets.verify('cancel-token', 'live', { text, signature: signatures[0]! })).toBe(false);
  });

  test('is another one for each purpose and mode', () => {
    const all = Object.entries(signingPurposes).flatMap(([purpose, kind]) =>
      (kind === 'mode' ? ['live', 'sandbox'] : ['installation']).map((scope) =>
        secrets.sign(purpose as SigningPurpose, scope as SigningScope<SigningPurpose>, 'text'),
      ),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(15);
  });
});

test('a data key unwraps only with the secret that wraps it, and only as itself', () => {
  const [secret, other] = [
    'a secret of at least thirty-two characters',
    'another secret of that many characters',
  ];
  const wrappedKey = wrapDataKey(secret, first);
  expect(unwrapDataKey(secret, { id: first.id, wrappedKey })).toEqual(first);
  expect(() => unwrapDataKey(other, { id: first.id, wrappedKey })).toThrow('cannot be decrypted');
  expect(() => unwrapDataKey(secret, { id: second.id, wrappedKey })).toThrow('cannot be decrypted');
  expect(wrappedKey).not.toContain(first.bytes.toString('base64url'));
  expect([fingerprint(secret), fingerprint(other)]).toEqual([
    fingerprint(secret),
    expect.not.stringMatching(fingerprint(secret)),
  ]);
});

test('texts are compared whole', () => {
  expect(isSameText('abc', 'abc')).toBe(true);
  expect(isSameText('abc', 'abcd')).toBe(false);
  expect(isSameText('abc', 'abd')).toBe(false);
});
