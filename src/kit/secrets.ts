import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What everything secret is derived from: APP_SECRET, and one key a purpose. */
export type Secrets = {
  /** Encrypts for storage (AES-256-GCM). The text says which key made it, so keys can be rotated. */
  seal(plain: string): string;
  unseal(sealed: string): string;
  /** HMAC-SHA-256 under a key of its own for `purpose`. */
  sign(purpose: string, text: string): Buffer;
};

const sealVersion = 'v1';
const ivBytes = 12;
const tagBytes = 16;

export function makeSecrets(appSecret: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', appSecret, 'causeway', purpose, 32));
  const sealKey = derive('seal');
  const signKeys = new Map<string, Buffer>();
  const signKey = (purpose: string) => {
    const key = signKeys.get(purpose) ?? derive(`sign:${purpose}`);
    signKeys.set(purpose, key);
    return key;
  };
  return {
    seal: (plain) => seal(sealKey, plain),
    unseal: (sealed) => unseal(sealKey, sealed),
    sign: (purpose, text) => createHmac('sha256', signKey(purpose)).update(text).digest(),
  };
}

function seal(key: Buffer, plain: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${sealVersion}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

function unseal(key: Buffer, sealed: string): string {
  const [version, data = ''] = sealed.split('.');
  if (version !== sealVersion) throw new Error('sealed text of an unknown version');
  const bytes = Buffer.from(data, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares without telling by its duration where the texts differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
