import { verifyCallback } from './callback.ts';
import { CausewayError } from './error.ts';
import type { CallbackEvent, WebhookEvent } from './events.ts';
import type { ReceivedNotification } from './request.ts';
import { verifyWebhook, type WebhookCredentials } from './webhook.ts';

/** An endpoint for webhooks. If `onEvent` throws, the service retries the notification. */
export type WebhookReceiver = WebhookCredentials & {
  publicKey?: undefined;
  onEvent(event: WebhookEvent): unknown;
};

/** An endpoint for callbacks, with the public key of your certificate, or both keys during a rotation. */
export type CallbackReceiver = {
  publicKey: string | readonly string[];
  onEvent(event: CallbackEvent): unknown;
};

export type Receiver = WebhookReceiver | CallbackReceiver;

/**
 * Verifies a notification and calls `onEvent`. Returns the status of the response: 401 if the notification is not
 * authentic. Errors of `onEvent` are thrown.
 */
export async function receive(receiver: Receiver, request: ReceivedNotification): Promise<204 | 401> {
  const handle = await verify(receiver, request);
  if (!handle) return 401;
  await handle();
  return 204;
}

/** Returns a function that calls `onEvent`; undefined if the notification is not authentic. */
async function verify(
  receiver: Receiver,
  request: ReceivedNotification,
): Promise<(() => unknown) | undefined> {
  try {
    if (receiver.publicKey !== undefined) {
      const event = await verifyCallback({ body: request.body, publicKey: receiver.publicKey });
      return () => receiver.onEvent(event);
    }
    const { username, password, secret } = receiver;
    const event = await verifyWebhook({ ...request, username, password, secret });
    return () => receiver.onEvent(event);
  } catch (error) {
    if (error instanceof CausewayError && error.code === 'verification_failed') return undefined;
    throw error;
  }
}

/** Receives a notification in frameworks that use the Request and Response of the Fetch API. */
export async function receiveRequest(receiver: Receiver, request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  return new Response(null, { status: await receive(receiver, { body, headers: request.headers }) });
}
