import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { takeRandom } from './random.ts';

/** What everything secret is derived from: APP_SECRET, and one key a purpose. */
export type Secrets = {
  /** Encrypts for storage (AES-256-GCM) under the secret in force. The text says which that was. */
  seal(plain: string): string;
  /** Opens what was sealed under any secret that is known. */
  unseal(sealed: string): string;
  /** HMAC-SHA-256 under a key of its own for `purpose`, of the secret in force. */
  sign(purpose: string, text: string): Buffer;
  /** The same under each secret whose signatures count, that in force first: what is asked of may be older than it. */
  signatures(purpose: string, text: string): Buffer[];
  /** Whether it opens what is sealed under the secret of this fingerprint. */
  opens(fingerprint: string): boolean;
};

export type KnownSecrets = {
  /** Seals and signs. */
  inForce: string;
  /** Those whose signatures count too. */
  accepted?: readonly string[];
  /** Those that only open what was sealed under them. */
  opening?: readonly string[];
};

/** Secrets that change while they are used. What was known once goes on opening. */
export type Keyring = Secrets & { use(known: KnownSecrets): void };

const sealVersion = 'v2';
/** Texts of before a sealed text named its secret: every one that is known is tried. */
const namelessVersion = 'v1';
const ivBytes = 12;
const tagBytes = 16;
const fingerprintBytes = 6;

/** As objects: Node looks into plain bytes anew each time, which takes longer than what is done with them. */
type Keys = { fingerprint: string; sealKey: KeyObject; signKey: (purpose: string) => KeyObject };

export function makeSecrets(appSecret: string): Secrets {
  return makeKeyring({ inForce: appSecret });
}

export function makeKeyring(known: KnownSecrets): Keyring {
  const byFingerprint = new Map<string, Keys>();
  const learn = (appSecret: string): Keys => {
    const name = fingerprint(appSecret);
    const keys = byFingerprint.get(name) ?? keysOf(appSecret, name);
    byFingerprint.set(name, keys);
    return keys;
  };
  let inForce = learn(known.inForce);
  let signing = [inForce];
  const use = ({ inForce: secret, accepted = [], opening = [] }: KnownSecrets) => {
    for (const other of opening) learn(other);
    inForce = learn(secret);
    signing = [...new Set([inForce, ...accepted.map(learn)])];
  };
  use(known);
  return {
    use,
    seal: (plain) => seal(inForce, plain),
    unseal: (sealed) => unseal(byFingerprint, sealed),
    sign: (purpose, text) => sign(inForce, purpose, text),
    signatures: (purpose, text) => signing.map((keys) => sign(keys, purpose, text)),
    opens: (name) => byFingerprint.has(name),
  };
}

/** Names a secret of many random characters without telling it. */
export function fingerprint(appSecret: string): string {
  return derive(appSecret, 'fingerprint').subarray(0, fingerprintBytes).toString('hex');
}

/** How all that is sealed under the secret of this fingerprint begins. */
export function sealedBeginning(name: string): string {
  return `${sealVersion}.${name}.`;
}

function derive(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appSecret, 'causeway', purpose, 32));
}

function keysOf(appSecret: string, name: string): Keys {
  const signKeys = new Map<string, KeyObject>();
  return {
    fingerprint: name,
    sealKey: createSecretKey(derive(appSecret, 'seal')),
    signKey(purpose) {
      const key = signKeys.get(purpose) ?? createSecretKey(derive(appSecret, `sign:${purpose}`));
      signKeys.set(purpose, key);
      return key;
    },
  };
}

function sign(keys: Keys, purpose: string, text: string): Buffer {
  return createHmac('sha256', keys.signKey(purpose)).update(text).digest();
}

function seal({ fingerprint: name, sealKey }: Keys, plain: string): string {
  const iv = takeRandom(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', sealKey, iv, { authTagLength: tagBytes });
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${sealedBeginning(name)}${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

function unseal(known: ReadonlyMap<string, Keys>, sealed: string): string {
  const parts = sealed.split('.');
  if (parts[0] === namelessVersion && parts.length === 2) return unsealNameless(known, parts[1] ?? '');
  const [version, name = '', data = ''] = parts;
  if (version !== sealVersion) throw new Error('sealed text of an unknown version');
  const keys = known.get(name);
  if (!keys) throw new Error(`sealed under an APP_SECRET that is not known here (${name})`);
  return decrypt(keys.sealKey, data);
}

function unsealNameless(known: ReadonlyMap<string, Keys>, data: string): string {
  const faults: unknown[] = [];
  for (const { sealKey } of known.values()) {
    try {
      return decrypt(sealKey, data);
    } catch (error) {
      faults.push(error);
    }
  }
  throw new AggregateError(faults, 'sealed under an APP_SECRET that is not known here');
}

function decrypt(sealKey: KeyObject, data: string): string {
  const bytes = Buffer.from(data, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares two of `sha256` without telling by its duration where they differ. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** The same for any two texts. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
