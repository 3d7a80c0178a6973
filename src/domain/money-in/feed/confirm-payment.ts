import { FeedFormatError } from '../../../feed/feed-format-error.ts';
import { callBankApi } from '../../../feed/json-client.ts';
import { parseJsonDocument } from '../../../feed/json-document.ts';
import { findScbMismatch, readClaimedPayment, scbApiUrls } from '../../../feed/scb-inquiry.ts';
import type { Service } from '../../platform/service.ts';
import { decryptDeliveryBody } from './decrypt-delivery.ts';
import { decryptFeedCredentials, openBankFeed } from './open-bank-feed.ts';

/**
 * Asks the API of a bank that signs nothing whether it knows the payment of a stored delivery. Returns
 * `confirmed`, also for a sender that needs no confirmation or whose deliveries are only observed; otherwise
 * the reason. Throws if the API cannot be reached.
 */
export async function confirmPayment(
  service: Service,
  { id }: { id: string },
): Promise<'confirmed' | string> {
  const delivery = await service.prisma.feedDelivery.findUniqueOrThrow({ where: { id } });
  const { feed, definition, settings } = await openBankFeed(service, delivery.feedId);
  if (definition.confirmation === undefined || feed.confirmedAt === null) return 'confirmed';
  const body = await decryptDeliveryBody(service.secrets, delivery);
  const claim = body && tryReadClaim(body);
  // A delivery whose payment cannot be read is recorded as unreadable.
  if (!claim) return 'confirmed';
  const { clientId = '', clientSecret = '' } = await decryptFeedCredentials(service.secrets, feed);
  const api = {
    url: settings.apiUrl ?? scbApiUrls[feed.mode],
    applicationKey: clientId,
    applicationSecret: clientSecret,
    call: (call: Parameters<typeof callBankApi>[0]) => callBankApi(call, service.settings),
  };
  try {
    return (await findScbMismatch(api, claim)) ?? 'confirmed';
  } catch (error) {
    return `the bank’s API cannot be reached: ${(error as Error).message}`;
  }
}

function tryReadClaim(body: Buffer) {
  try {
    return readClaimedPayment(parseJsonDocument(body));
  } catch (error) {
    if (error instanceof FeedFormatError) return undefined;
    throw error;
  }
}
