import { hash, randomBytes } from 'node:crypto';
import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { type FeedRejection, type FeedRequest, listCredentialHeaders } from '../../../feed/authentication.ts';
import type { FeedAnswer } from '../../../feed/feed-definition.ts';
import { FeedInputError } from '../../../feed/feed-input-error.ts';
import { type JsonNode, parseJsonDocument } from '../../../feed/json-document.ts';
import { verifyRequest } from '../../../feed/verify-request.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { newOrderedId } from '../../../kit/id.ts';
import type { Service } from '../../platform/service.ts';
import { isAllowedSender } from './bank-feed-input.ts';
import { type BankFeedSender, decryptFeedCredentials, readBankFeedSender } from './open-bank-feed.ts';
import { recordFeedFailure, rejectionsMax } from './transition-bank-feed.ts';

/** The largest accepted body in bytes. The largest documented one, a batch of Monoova, is a tenth of it. */
export const deliveryBytesMax = 1024 * 1024;
/** If the process ends before it has processed a delivery, a worker does so after this time. */
const takeoverMs = minuteMs;

export type DeliveryRequest = FeedRequest & {
  ipAddress: string;
  /** The number of bytes received or announced; larger than the body if it was too large to be read. */
  size: number;
};

type ReceiveContext = {
  now: SystemTime;
  /** Returns false if the sender has sent too many rejected deliveries to be recorded. */
  admitRejection: () => boolean;
  /** Inserts a new delivery, together with others of the merchant that arrive at the same time. */
  insert: (delivery: FeedDelivery) => Promise<void>;
  /** Processes a stored delivery. The promise is never rejected, because a worker repeats what failed. */
  process: (delivery: FeedDelivery) => Promise<void>;
};

/**
 * Receives a request to the URL of a bank feed. An authenticated delivery is stored before it is parsed, and its
 * sender gets the response that it expects even if processing fails: a worker retries it, and the merchant sees the
 * failure. Of any other request, only the reason, IP address, size and hash are stored. Returns undefined if the
 * sender has sent too many rejected requests. Error: `bank_feed_not_found`.
 */
export async function receiveDelivery(
  service: Service,
  { feedId, request, ...context }: ReceiveContext & { feedId: string; request: DeliveryRequest },
): Promise<FeedAnswer | undefined> {
  const sender = await readBankFeedSender(service, feedId);
  const { token } = sender.definition;
  if (token && request.path.endsWith(token.path)) return issueToken(service, sender, { request, ...context });
  const rejection = await verifyDelivery(service, sender, { request, now: context.now });
  if (rejection) return reject(service, sender, { request, rejection, ...context });
  const delivery = toDelivery(service, sender, { request, now: context.now });
  await context.insert(delivery);
  if (canProcessNow(sender)) await context.process(delivery);
  return sender.definition.accept(tryParse(request.body));
}

/** Answers a sender that requests an access token. The token is not stored, because nothing depends on it. */
async function issueToken(
  service: Service,
  sender: BankFeedSender,
  { request, ...context }: ReceiveContext & { request: DeliveryRequest },
): Promise<FeedAnswer | undefined> {
  const { accept, reject: rejectToken, authentication } = sender.definition.token!;
  const authentications = [authentication];
  const rejection = await verifyDelivery(
    service,
    { ...sender, authentications },
    { request, now: context.now },
  );
  if (!rejection) return accept(randomBytes(32).toString('base64url'));
  return (await reject(service, sender, { request, rejection, ...context })) && rejectToken();
}

async function verifyDelivery(
  { secrets }: Service,
  { feed, definition, settings, authentications }: BankFeedSender,
  { request, now }: { request: DeliveryRequest; now: Date },
): Promise<FeedRejection | undefined> {
  // A feed that is polled accepts only deliveries of a sender that it authenticates.
  if (definition.pull && authentications.length === 0) return 'credentials_missing';
  if (!isAllowedSender(feed.allowedAddresses, request.ipAddress)) return 'address_not_allowed';
  if (request.size > deliveryBytesMax) return 'body_too_large';
  const credentials = await decryptFeedCredentials(secrets, feed);
  const path = settings.signedPath ?? request.path;
  return verifyRequest({ ...request, path }, { authentications, credentials, now });
}

const rejectionStatuses: Partial<Record<FeedRejection, number>> = {
  address_not_allowed: 403,
  body_too_large: 413,
};

async function reject(
  service: Service,
  { feed, definition }: BankFeedSender,
  options: ReceiveContext & { request: DeliveryRequest; rejection: FeedRejection },
): Promise<FeedAnswer | undefined> {
  const { request, rejection, now, admitRejection } = options;
  if (!admitRejection()) return undefined;
  await transact(service, async (uow) => {
    const row = toRow(feed, request, now);
    await uow.tx.feedDelivery.create({ data: { ...row, status: 'rejected', reason: rejection } });
    await recordFeedFailure(uow, feed, { error: rejection, failuresMin: rejectionsMax, now });
    announceChange(uow, { ...feed, objectId: row.id });
  });
  const status = rejectionStatuses[rejection];
  if (status !== undefined) return { status, body: { error: rejection } };
  return definition.reject?.() ?? { status: 401, body: { error: rejection } };
}

/** Returns a delivery to store, which a worker processes if this process does not. */
function toDelivery(
  { secrets }: Service,
  sender: BankFeedSender,
  { request, now }: { request: DeliveryRequest; now: Date },
): FeedDelivery {
  const { feed, authentications } = sender;
  const row = toRow(feed, request, now);
  const redacted = new Set(listCredentialHeaders(authentications));
  const headers = Object.entries(request.headers).map(([name, value]) =>
    redacted.has(name) ? [name, '[redacted]'] : [name, value],
  );
  const encrypt = (text: string, column: 'headers_encrypted' | 'body_encrypted') =>
    secrets.encrypt(text, `feed_delivery.${column}`, row.id);
  return {
    ...row,
    status: 'received',
    reason: null,
    detail: null,
    attemptCount: 0,
    processedAt: null,
    fileName: null,
    fileModifiedAt: null,
    statementIds: [],
    results: [],
    transferIds: [],
    headersEncrypted: encrypt(JSON.stringify(Object.fromEntries(headers)), 'headers_encrypted'),
    bodyEncrypted: encrypt(request.body.toString('base64'), 'body_encrypted'),
    nextAttemptAt: canProcessNow(sender) ? new Date(now.getTime() + takeoverMs) : now,
  };
}

function toRow(
  { id: feedId, merchantId, mode }: BankFeedSender['feed'],
  { ipAddress, size, body }: DeliveryRequest,
  now: Date,
) {
  return {
    id: newOrderedId('feedDelivery', now),
    merchantId,
    mode,
    feedId,
    ipAddress,
    size,
    bodyHash: hash('sha256', body, 'hex'),
    createdAt: now,
  };
}

/**
 * Returns whether a delivery can be processed immediately. A paused feed only stores deliveries, and a worker
 * processes a payment that the bank’s API must confirm.
 */
function canProcessNow({ feed, definition }: BankFeedSender): boolean {
  const needsConfirmation = definition.confirmation !== undefined && feed.confirmedAt !== null;
  return feed.status !== 'paused' && !needsConfirmation;
}

function tryParse(body: Buffer): JsonNode | undefined {
  try {
    return parseJsonDocument(body);
  } catch (error) {
    if (error instanceof FeedInputError) return undefined;
    throw error;
  }
}
