import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/** Returns the bytes of a delivery; undefined if they are not stored. */
export async function decryptDeliveryBody(
  secrets: Secrets,
  { id, bodyEncrypted }: Pick<FeedDelivery, 'id' | 'bodyEncrypted'>,
): Promise<Buffer | undefined> {
  if (bodyEncrypted === null) return undefined;
  return Buffer.from(await secrets.decrypt(bodyEncrypted, 'feed_delivery.body_encrypted', id), 'base64');
}

/** Returns the headers of a delivery as JSON; null if they are not stored. */
export async function decryptDeliveryHeaders(
  secrets: Secrets,
  { id, headersEncrypted }: Pick<FeedDelivery, 'id' | 'headersEncrypted'>,
): Promise<string | null> {
  if (headersEncrypted === null) return null;
  return secrets.decrypt(headersEncrypted, 'feed_delivery.headers_encrypted', id);
}
