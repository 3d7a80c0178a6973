import { createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import {
  type DerivedKeys,
  decryptWith,
  derive,
  deriveKeys,
  encryptWith,
  hmac,
  type ImportedKeyRow,
  type ImportedKeys,
  readImportedKeys,
  toContext,
} from './derived-keys.ts';
import { readRandomBytes } from './random.ts';
import type { SigningPurpose, SigningScope } from './signing-purposes.ts';
import { isUnavailable, staleDataKeysCode } from './unavailable.ts';

/** Every encrypted column, with the primary key of its table. A ciphertext is bound to its column and row. */
export const encryptedColumns = {
  'bank_feed.credentials_encrypted': ['id'],
  'certificate.private_key_encrypted': ['id'],
  'export_chunk.bytes_encrypted': ['export_id', 'position'],
  'feed_delivery.body_encrypted': ['id'],
  'feed_delivery.headers_encrypted': ['id'],
  'idempotency_key.response_encrypted': ['merchant_id', 'mode', 'key'],
  'imported_signing_key.keys_encrypted': ['merchant_id', 'id'],
  'merchant.hash_key_encrypted': ['id'],
  'merchant.move_code_encrypted': ['id'],
  'merchant_user.chat_url_encrypted': ['id'],
  'merchant_user.pending_totp_encrypted': ['id'],
  'merchant_user.totp_encrypted': ['id'],
  'message.content_encrypted': ['id'],
  'refund.details_encrypted': ['id'],
  'webhook.previous_signing_secret_encrypted': ['id'],
  'webhook.password_encrypted': ['id'],
  'webhook.signing_secret_encrypted': ['id'],
} as const;

export type EncryptedColumn = keyof typeof encryptedColumns;

/** The primary key of a row: its ID, or the values of the key's columns in order. */
export type RowKey<C extends EncryptedColumn> = KeyValues<(typeof encryptedColumns)[C]>;
type KeyValues<K extends readonly string[]> = K extends readonly [string]
  ? string
  : { readonly [I in keyof K]: string | number };

/** 256 random bits, from which the encryption key and the signing keys are derived. */
export type DataKey = { id: string; bytes: Buffer };

export type DataKeys = {
  current: DataKey;
  /** Announced and retired keys. They can still decrypt, and their signatures are valid. */
  others: readonly DataKey[];
  /** The encrypted signing keys of merchants that moved here. */
  imported?: readonly ImportedKeyRow[];
};

export type Secrets = {
  /**
   * Encrypts a value for a column of a row (AES-256-GCM under the current data key). Throws `StaleDataKeys` if the data
   * keys may have changed.
   */
  encrypt<C extends EncryptedColumn>(plain: string, column: C, row: RowKey<C>): string;
  /**
   * Decrypts the value of a column of a row. Reloads the data keys if the ciphertext names an unknown data key. Throws
   * for a ciphertext of another column or row.
   */
  decrypt<C extends EncryptedColumn>(ciphertext: string, column: C, row: RowKey<C>): Promise<string>;
  /** Returns the HMAC-SHA-256 under the current data key, in Base64url. */
  sign<P extends SigningPurpose>(purpose: P, scope: SigningScope<P>, text: string): string;
  /**
   * Returns the HMAC-SHA-256 under every valid data key, the current one first. With the ID of a merchant
   * that moved here, also those under the keys of the other installation.
   */
  listSignatures<P extends SigningPurpose>(
    purpose: P,
    scope: SigningScope<P>,
    text: string,
    merchantId?: string,
  ): Buffer[];
  /**
   * Returns whether `sign` created this signature under any valid data key. For a merchant that moved here, the other
   * installation may have created it.
   */
  verify<P extends SigningPurpose>(
    purpose: P,
    scope: SigningScope<P>,
    signed: { text: string; signature: string; merchantId?: string | undefined },
  ): boolean;
  /** The merchants that moved here. */
  listImportedMerchantIds(): string[];
  hasDataKey(id: string): boolean;
};

export type Keyring = Secrets & {
  reload(): Promise<void>;
};

/**
 * Thrown when the data keys may have changed since they were read: a value that is encrypted under a replaced
 * key may become impossible to decrypt.
 */
export class StaleDataKeys extends Error {
  readonly code = staleDataKeysCode;

  constructor() {
    super('Encryption is suspended until the data keys have been reloaded');
  }
}

const fingerprintBytes = 6;

/**
 * Opens a keyring with the data keys that `load` reads, now and whenever they may have changed. Encryption is suspended
 * if `load` fails while the database is available, and `leaseMs` after the last read. `secrets retire` relies on this:
 * it deletes a retired data key once all leases have expired.
 */
export async function openKeyring(
  load: () => Promise<DataKeys>,
  { leaseMs = Number.POSITIVE_INFINITY } = {},
): Promise<Keyring> {
  let derivedKeys = new Map<string, DerivedKeys>();
  let current!: DerivedKeys;
  let importedKeys = new Map<string, ImportedKeys[]>();
  let leaseEndMs = Number.NEGATIVE_INFINITY;

  const read = async () => {
    // The lease starts before the read, because the result may be as old as the start of the read.
    const startMs = performance.now();
    const {
      current: currentKey,
      others,
      imported = [],
    } = await load().catch((error) => {
      // An unavailable database does not mean that the keys have changed, so the lease continues.
      if (!isUnavailable(error)) leaseEndMs = Number.NEGATIVE_INFINITY;
      throw error;
    });
    leaseEndMs = startMs + leaseMs;
    derivedKeys = new Map(
      [currentKey, ...others].map((key) => [key.id, derivedKeys.get(key.id) ?? deriveKeys(key)]),
    );
    current = derivedKeys.get(currentKey.id)!;
    importedKeys = readImportedKeys(imported, derivedKeys);
  };
  const reload = createReload(read);
  const signatures = createSignatures((merchantId) => [
    ...derivedKeys.values(),
    ...(importedKeys.get(merchantId ?? '') ?? []),
  ]);

  await reload();
  return {
    reload,
    encrypt(plain, column, row) {
      if (performance.now() >= leaseEndMs) throw new StaleDataKeys();
      return `${current.id}.${encryptWith(current.encryptionKey, plain, toContext(column, row))}`;
    },
    async decrypt(ciphertext, column, row) {
      const context = toContext(column, row);
      const [id = '', data = ''] = ciphertext.split('.');
      if (!derivedKeys.has(id)) await reload();
      const keys = derivedKeys.get(id);
      if (!keys) throw new Error(`${context} is encrypted under a data key that no longer exists (${id})`);
      return decryptWith(keys.encryptionKey, data, context);
    },
    sign: (purpose, scope, text) => hmac(current, purpose, scope, text).toString('base64url'),
    ...signatures,
    listImportedMerchantIds: () => [...importedKeys.keys()],
    hasDataKey: (id) => derivedKeys.has(id),
  };
}

/** Each caller waits for a read that starts after its call, because a running read may miss the change. */
function createReload(read: () => Promise<void>): () => Promise<void> {
  let currentRead: Promise<void> = Promise.resolve();
  let pendingRead: Promise<void> | undefined;
  return () => {
    pendingRead ??= currentRead
      .catch(() => {})
      .then(() => {
        pendingRead = undefined;
        currentRead = read();
        return currentRead;
      });
    return pendingRead;
  };
}

function createSignatures(
  getKeys: (merchantId: string | undefined) => readonly ImportedKeys[],
): Pick<Secrets, 'listSignatures' | 'verify'> {
  const listSignatures: Secrets['listSignatures'] = (purpose, scope, text, merchantId) =>
    getKeys(merchantId).map((keys) => hmac(keys, purpose, scope, text));
  return {
    listSignatures,
    verify: (purpose, scope, { text, signature, merchantId }) =>
      listSignatures(purpose, scope, text, merchantId).some((mac) =>
        isSameText(signature, mac.toString('base64url')),
      ),
  };
}

export function newDataKey(): DataKey {
  return { id: readRandomBytes(6).toString('hex'), bytes: readRandomBytes(32) };
}

/** Encrypts a data key under a key derived from APP_SECRET. */
export function wrapDataKey(appSecret: string, { id, bytes }: DataKey): string {
  return encryptWith(deriveWrappingKey(appSecret), bytes.toString('base64'), `data_key:${id}`);
}

export function unwrapDataKey(
  appSecret: string,
  { id, wrappedKey }: { id: string; wrappedKey: string },
): DataKey {
  const bytes = Buffer.from(
    decryptWith(deriveWrappingKey(appSecret), wrappedKey, `data_key:${id}`),
    'base64',
  );
  return { id, bytes };
}

/** Returns a text that distinguishes one APP_SECRET from another without revealing it. */
export function getFingerprint(appSecret: string): string {
  return derive(appSecret, 'fingerprint').subarray(0, fingerprintBytes).toString('hex');
}

function deriveWrappingKey(appSecret: string): KeyObject {
  return createSecretKey(derive(appSecret, 'wrap'));
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares two texts in constant time. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
