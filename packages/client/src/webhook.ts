import { createRandomHex, fromBase64, isEqualConstantTime, toBase64 } from './encoding.ts';
import type { EventPayload, EventType, WebhookEvent } from './events.ts';
import { eventObjects } from './generated/catalog.ts';
import {
  createVerificationError,
  decodeBody,
  parseVerified,
  type ReceivedNotification,
  readHeader,
} from './request.ts';

/** The credentials with which the service authenticates. Provide all that your webhook has; each is checked. */
export type WebhookCredentials = {
  /** The user name and password of the webhook. */
  username?: string | undefined;
  password?: string | undefined;
  /** The signing secret, `whsec_…`; two during a rotation. */
  secret?: string | readonly string[] | undefined;
};

export type VerifyWebhookOptions = ReceivedNotification &
  WebhookCredentials & {
    /** How many seconds the time of the signature may differ from the current time; 300 by default. */
    toleranceSeconds?: number | undefined;
    /** The current time, for tests. */
    now?: Date | undefined;
  };

/**
 * Returns the event of an authentic notification. Throws `verification_failed` otherwise, and a TypeError without
 * credentials.
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  const { username, password, secret } = options;
  const hasPassword = username !== undefined && password !== undefined && password !== '';
  const secrets = [secret ?? []].flat().filter((text) => text !== '');
  // Without this check, unset environment variables would disable the verification.
  if (!hasPassword && secrets.length === 0)
    throw new TypeError('verifyWebhook needs username and password, or secret');
  const text = decodeBody(options.body);
  if (hasPassword) {
    const expected = `Basic ${toBase64(`${username}:${password}`)}`;
    const actual = readHeader(options.headers, 'authorization') ?? '';
    if (!(await isEqualConstantTime(actual, expected)))
      throw createVerificationError('The user name or password is wrong');
  }
  if (secrets.length > 0) await verifySignature(text, secrets, options);
  return parseVerified<WebhookEvent>(text);
}

async function verifySignature(
  text: string,
  secrets: string[],
  { headers, toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions,
): Promise<void> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) throw createVerificationError('The webhook is not signed');
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds))
    throw createVerificationError('The signature is too old or in the future');
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const candidates = signatures.split(' ').flatMap((signature) => signature.match(/^v1,(.+)$/)?.[1] ?? []);
  for (const secret of secrets) {
    const key = await importSecret(secret, 'verify');
    for (const candidate of candidates)
      if (await crypto.subtle.verify('HMAC', key, decodeSignature(candidate), content)) return;
  }
  throw createVerificationError('The signature is invalid');
}

export function decodeSignature(text: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(text);
  } catch (error) {
    throw createVerificationError('The signature is not base64', error);
  }
}

function importSecret(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  if (!secret.startsWith('whsec_')) throw new TypeError('The secret must begin with whsec_');
  const bytes = fromBase64(secret.slice('whsec_'.length));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

export type SignWebhookOptions<Type extends EventType> = WebhookCredentials & {
  message: Type;
  payload: Partial<EventPayload<Type>>;
  eventId?: string | undefined;
  notificationVersion?: string | undefined;
  objectVersion?: number | undefined;
  now?: Date | undefined;
};

export type SignedRequest = { body: string; headers: Record<string, string> };

/** Creates a notification to a webhook as the service sends it, for your own tests. */
export async function signWebhook<Type extends EventType>(
  options: SignWebhookOptions<Type>,
): Promise<SignedRequest> {
  const { message, username, password, secret, now = new Date() } = options;
  const { payload, eventId } = completePayload(options);
  const { chargeId } = payload as { chargeId?: string };
  const body = JSON.stringify({
    merchantId: (payload as { merchantId?: string }).merchantId ?? 'mer_test',
    timestamp: now.getTime() / 1_000,
    eventId,
    notificationVersion: options.notificationVersion ?? '1.0',
    objectVersion: options.objectVersion ?? 1,
    ...(eventObjects[message] === 'charge' && { chargeId }),
    message,
    payload,
  });
  const timestamp = Math.floor(now.getTime() / 1_000).toString();
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Causeway',
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
  };
  if (username !== undefined && password !== undefined)
    headers.authorization = `Basic ${toBase64(`${username}:${password}`)}`;
  const signatures = [secret ?? []].flat().map(async (text) => {
    const content = new TextEncoder().encode(`${eventId}.${timestamp}.${body}`);
    const signature = await crypto.subtle.sign('HMAC', await importSecret(text, 'sign'), content);
    return `v1,${toBase64(new Uint8Array(signature))}`;
  });
  if (signatures.length > 0) headers['webhook-signature'] = (await Promise.all(signatures)).join(' ');
  return { body, headers };
}

/** Adds the members that every payload has, and returns the ID of the event. */
export function completePayload<Type extends EventType>(options: {
  message: Type;
  payload: Partial<EventPayload<Type>>;
  eventId?: string | undefined;
  now?: Date | undefined;
}): { payload: object; eventId: string } {
  const { message, payload, now = new Date() } = options;
  const eventId = options.eventId ?? `ev_${createRandomHex()}`;
  const timestamp = now.getTime() / 1_000;
  return { payload: { mode: 'sandbox', ...payload, eventId, eventType: message, timestamp }, eventId };
}
