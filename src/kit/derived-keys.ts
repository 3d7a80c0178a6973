import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { readRandomBytes } from './random.ts';
import { type SigningPurpose, signingPurposes } from './signing-purposes.ts';

const ivBytes = 12;
const tagBytes = 16;

/** The result of {@link exportSigningKeys} of another installation, as encrypted JSON. */
export type ImportedKeyRow = { merchantId: string; id: string; keysEncrypted: string };

/**
 * The keys that are derived from a data key. The key objects are cached, because Node parses raw key bytes at every
 * use, which takes longer than the operation itself.
 */
export type DerivedKeys = { id: string; encryptionKey: KeyObject; signingKey: (name: string) => KeyObject };

export function derive(key: string | Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'causeway', name, 32));
}

export function deriveKeys({ id, bytes }: { id: string; bytes: Buffer }): DerivedKeys {
  const signingKeys = new Map<string, KeyObject>();
  return {
    id,
    encryptionKey: createSecretKey(derive(bytes, 'encrypt')),
    signingKey(name) {
      const key = signingKeys.get(name) ?? createSecretKey(derive(bytes, `sign:${name}`));
      signingKeys.set(name, key);
      return key;
    },
  };
}

export type ImportedKeys = Pick<DerivedKeys, 'signingKey'>;

export function readImportedKeys(
  rows: readonly ImportedKeyRow[],
  derivedKeys: ReadonlyMap<string, DerivedKeys>,
): Map<string, ImportedKeys[]> {
  const imported = rows.map(({ merchantId, id, keysEncrypted }) => {
    const context = toContext('imported_signing_key.keys_encrypted', [merchantId, id]);
    const [dataKeyId = '', data = ''] = keysEncrypted.split('.');
    const dataKey = derivedKeys.get(dataKeyId);
    if (!dataKey) throw new Error(`${context} is encrypted under a data key that no longer exists`);
    const keys = JSON.parse(decryptWith(dataKey.encryptionKey, data, context)) as Record<string, string>;
    const signingKeys = new Map(
      Object.entries(keys).map(([name, key]) => [name, createSecretKey(Buffer.from(key, 'base64'))]),
    );
    // The random key matches no signature: the other installation did not have this purpose.
    const signingKey = (name: string) => signingKeys.get(name) ?? createSecretKey(readRandomBytes(32));
    return { merchantId, signingKey };
  });
  return Map.groupBy(imported, ({ merchantId }) => merchantId);
}

/**
 * Returns the keys that sign links and tokens of merchants, in Base64 by purpose and mode. They reveal neither
 * the data key nor the data that it encrypts.
 */
export function exportSigningKeys({ bytes }: { bytes: Buffer }): Record<string, string> {
  const names = Object.entries(signingPurposes).flatMap(([purpose, scope]) =>
    scope === 'mode' ? [`${purpose}:live`, `${purpose}:sandbox`] : [],
  );
  return Object.fromEntries(names.map((name) => [name, derive(bytes, `sign:${name}`).toString('base64')]));
}

export function hmac(
  { signingKey }: ImportedKeys,
  purpose: SigningPurpose,
  scope: string,
  text: string,
): Buffer {
  return createHmac('sha256', signingKey(`${purpose}:${scope}`))
    .update(text)
    .digest();
}

/** Returns the associated data of a ciphertext: `table.column:primaryKey`. */
export function toContext(column: string, row: string | readonly (string | number)[]): string {
  return `${column}:${typeof row === 'string' ? row : row.join(':')}`;
}

export function encryptWith(key: KeyObject, plain: string, context: string): string {
  const iv = readRandomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

export function decryptWith(key: KeyObject, data: string, context: string): string {
  try {
    const bytes = Buffer.from(data, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
      'utf8',
    );
  } catch (cause) {
    throw new Error(`${context} cannot be decrypted: the value was changed, or belongs to another row`, {
      cause,
    });
  }
}
