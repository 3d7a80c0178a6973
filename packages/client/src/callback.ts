import { fromBase64, toBase64 } from './encoding.ts';
import type { CallbackEvent } from './events.ts';
import { createVerificationError, decodeBody, parseVerified, type RawBody } from './request.ts';
import { completePayload, decodeSignature, type SignedRequest } from './webhook.ts';

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

export type VerifyCallbackOptions = {
  body: RawBody;
  /**
   * The public key of your certificate in PEM, or both keys during a rotation. With a sandbox key, a live server would
   * accept sandbox callbacks.
   */
  publicKey: string | readonly string[];
};

/**
 * Returns the payload of an authentic callback. Throws `verification_failed` otherwise, and a TypeError if a key is
 * missing or not in PEM. The members outside of the payload are not signed, so they are not returned.
 */
export async function verifyCallback({ body, publicKey }: VerifyCallbackOptions): Promise<CallbackEvent> {
  const keys = [publicKey].flat();
  if (keys.length === 0) throw new TypeError('verifyCallback needs a public key');
  const text = decodeBody(body);
  const [, payload, signature] = /"payload":(.*),"signature":"([^"]*)"}\s*$/s.exec(text) ?? [];
  if (payload === undefined || signature === undefined)
    throw createVerificationError('The callback is not signed');
  const bytes = new TextEncoder().encode(payload);
  for (const pem of keys) {
    const key = await importKey(pem, 'spki', 'verify');
    if (await crypto.subtle.verify(algorithm, key, decodeSignature(signature), bytes))
      return parseVerified<CallbackEvent>(payload);
  }
  throw createVerificationError('The signature is invalid');
}

async function importKey(
  pem: string,
  format: 'spki' | 'pkcs8',
  usage: 'verify' | 'sign',
): Promise<CryptoKey> {
  const base64 = /-----BEGIN (?:PUBLIC|PRIVATE) KEY-----([\s\S]+?)-----END/.exec(pem)?.[1] ?? '';
  try {
    const bytes = fromBase64(base64.replaceAll(/\s/g, ''));
    return await crypto.subtle.importKey(format, bytes, algorithm, false, [usage]);
  } catch (cause) {
    throw new TypeError('The key must be in PEM, as the dashboard shows it', { cause });
  }
}

/** Creates a key pair in PEM, for your own tests. */
export async function createTestCertificate(): Promise<{ publicKey: string; privateKey: string }> {
  const options = { ...algorithm, modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]) };
  const pair = await crypto.subtle.generateKey(options, true, ['sign', 'verify']);
  return {
    publicKey: await encodePem('PUBLIC', 'spki', pair.publicKey),
    privateKey: await encodePem('PRIVATE', 'pkcs8', pair.privateKey),
  };
}

async function encodePem(name: string, format: 'spki' | 'pkcs8', key: CryptoKey): Promise<string> {
  const base64 = toBase64(new Uint8Array(await crypto.subtle.exportKey(format, key)));
  return `-----BEGIN ${name} KEY-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END ${name} KEY-----\n`;
}

export type SignCallbackOptions = {
  payload: Partial<CallbackEvent>;
  privateKey: string;
  eventId?: string | undefined;
  now?: Date | undefined;
};

/** Creates a signed callback as the service sends it, for your own tests. */
export async function signCallback(options: SignCallbackOptions): Promise<SignedRequest> {
  const { now = new Date() } = options;
  const { payload, eventId } = completePayload({ ...options, message: 'CHARGE_COMPLETE' });
  const text = JSON.stringify(payload);
  const key = await importKey(options.privateKey, 'pkcs8', 'sign');
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text));
  const head = JSON.stringify({
    merchantId: options.payload.merchantId ?? 'mer_test',
    timestamp: now.getTime() / 1_000,
    eventId,
    notificationVersion: '0.9',
    objectVersion: 1,
    chargeId: options.payload.chargeId,
    message: 'CHARGE_COMPLETE',
  });
  return {
    body: `${head.slice(0, -1)},"payload":${text},"signature":"${toBase64(new Uint8Array(signature))}"}`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Causeway',
      'webhook-id': eventId,
      'webhook-timestamp': Math.floor(now.getTime() / 1_000).toString(),
      'certificate-id': 'cert_test',
    },
  };
}
