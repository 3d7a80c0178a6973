import type { FeedDelivery, Statement } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { FeedInputError } from '../../../feed/feed-input-error.ts';
import { callBankApi } from '../../../feed/json-client.ts';
import { parseJsonDocument } from '../../../feed/json-document.ts';
import { findScbMismatch, readClaimedPayment, scbApiUrls } from '../../../feed/scb-inquiry.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { minuteMs, secondMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import type { Service } from '../../platform/service.ts';
import { decryptDeliveryBody } from './decrypt-delivery.ts';
import { decryptFeedCredentials, openBankFeed } from './open-bank-feed.ts';
import { processDelivery, recordHealth } from './process-delivery.ts';
import { recordFeedFailure } from './transition-bank-feed.ts';
import { type DeliveryOutcome, postponeDelivery, transitionDeliveries } from './transition-feed-delivery.ts';

/**
 * How long a delivery is reserved for the worker that claims it. If that worker takes longer, another one
 * claims the delivery, and the result of the first is rejected.
 */
const claimMs = 2 * minuteMs;
/** After this many attempts, within about half a day, the delivery is left for the merchant to review. */
const attemptsMax = 12;

/**
 * Processes the stored deliveries that are due: those that a stopped process left, those that the bank's API must
 * confirm, files whose import may have finished, and those of feeds that were confirmed or resumed. Returns their
 * number.
 */
export async function processDeliveries(
  service: Service,
  { now, signal, onError }: { now: SystemTime; signal?: AbortSignal; onError: (error: Error) => void },
): Promise<number> {
  for (let count = 0; ; count++) {
    const id = signal?.aborted ? undefined : await claimDueDelivery(service, now);
    if (id === undefined) return count;
    await tryProcess(service, { id, now, onError });
  }
}

/** Claims one delivery, so that a run that ends leaves no claimed delivery unprocessed. */
async function claimDueDelivery({ prisma }: Service, now: Date): Promise<string | undefined> {
  const [claimed] = await prisma.$queryRaw<{ id: string }[]>`
    UPDATE feed_delivery SET next_attempt_at = ${new Date(now.getTime() + claimMs)}, attempt_count = attempt_count + 1
    WHERE id = (
      SELECT d.id FROM feed_delivery d JOIN bank_feed f ON f.id = d.feed_id
      WHERE d.status = 'received' AND d.next_attempt_at <= ${now} AND f.status <> 'paused' AND f.deleted_at IS NULL
        AND d.${isOfRunningMerchant}
      ORDER BY d.next_attempt_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
    RETURNING id`;
  return claimed?.id;
}

async function tryProcess(
  service: Service,
  { id, now, onError }: { id: string; now: SystemTime; onError: (error: Error) => void },
): Promise<void> {
  try {
    const delivery = await service.prisma.feedDelivery.findUniqueOrThrow({ where: { id } });
    if (delivery.fileName !== null) return await settleFile(service, { delivery, now });
    const confirmation = await confirmPayment(service, { id });
    if (confirmation === 'confirmed') await processDelivery(service, { id, now });
    else await postpone(service, { id, now, reason: 'not_confirmed', detail: confirmation });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'feed_delivery_not_processable') return;
    onError(error as Error);
    await postpone(service, { id, now, reason: 'internal_error', detail: 'see the log of the service' });
  }
}

/** Waits twice as long after each attempt. After the last one, the merchant has to review the delivery. */
async function postpone(
  service: Service,
  { id, now, reason, detail }: { id: string; now: Date; reason: string; detail: string },
): Promise<void> {
  await transact(service, async (uow) => {
    const delivery = await uow.tx.feedDelivery.findUniqueOrThrow({ where: { id } });
    const { attemptCount } = delivery;
    const isLast = attemptCount >= attemptsMax;
    const delayMs = Math.min(10_000 * 2 ** attemptCount, 12 * 60 * minuteMs);
    const nextAttemptAt = isLast ? null : new Date(now.getTime() + delayMs);
    const isChanged = await postponeDelivery(
      uow,
      { id, attemptCount, reason, detail },
      { nextAttemptAt, now },
    );
    if (isChanged && isLast) {
      const feed = await uow.tx.bankFeed.findUniqueOrThrow({ where: { id: delivery.feedId } });
      await recordFeedFailure(uow, feed, { error: `${reason}: ${detail}`, now });
    }
  });
}

/**
 * Queries the API of a bank that signs nothing for the payment of a stored delivery. Returns `confirmed`, also for
 * a sender that needs no confirmation or whose deliveries are only observed. Otherwise returns the reason, also if
 * the API cannot be reached.
 */
async function confirmPayment(service: Service, { id }: { id: string }): Promise<'confirmed' | string> {
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
    if (error instanceof FeedInputError) return undefined;
    throw error;
  }
}

/** How often to check whether the imports of a file have finished. */
const checkIntervalMs = 3 * secondMs;
/** How often to check while a person has to confirm or cancel an import. */
const confirmationIntervalMs = minuteMs;

/**
 * Records the outcome of a fetched file once its imports have finished. A file that does not match its control totals
 * alerts the merchant, because nothing of it is recorded until a person confirms its import.
 */
async function settleFile(
  service: Service,
  { delivery, now }: { delivery: FeedDelivery; now: Date },
): Promise<void> {
  await transact(service, async (uow) => {
    const statements = await uow.tx.statement.findMany({ where: { id: { in: delivery.statementIds } } });
    if (statements.some(({ status }) => status === 'queued' || status === 'running'))
      return void (await checkLater(uow, delivery, { at: new Date(now.getTime() + checkIntervalMs) }));
    const feed = await uow.tx.bankFeed.findUniqueOrThrow({ where: { id: delivery.feedId } });
    if (statements.some(({ status }) => status === 'awaiting_confirmation')) {
      const at = new Date(now.getTime() + confirmationIntervalMs);
      const isChanged = await checkLater(uow, delivery, { at, reason: 'confirmation_needed' });
      const error = `confirmation_needed: ${delivery.fileName}`;
      if (isChanged && delivery.reason !== 'confirmation_needed')
        await recordFeedFailure(uow, feed, { error, now });
      return;
    }
    const outcome = toOutcome(statements);
    await transitionDeliveries(uow, [{ delivery, outcome }], now);
    const hasTransfers = statements.some(({ entryCount }) => (entryCount ?? 0) > 0);
    await recordHealth(uow, feed, { outcome, hasTransfers, now });
  });
}

/** Schedules the next check. Returns false if another process has changed the delivery. */
async function checkLater(
  { tx }: UnitOfWork,
  { id, attemptCount }: FeedDelivery,
  { at, reason = null }: { at: Date; reason?: string | null },
): Promise<boolean> {
  const { count } = await tx.feedDelivery.updateMany({
    where: { id, status: 'received', attemptCount },
    data: { nextAttemptAt: at, attemptCount: 0, reason },
  });
  return count > 0;
}

function toOutcome(statements: readonly Statement[]): DeliveryOutcome {
  const failed = statements.find(({ status }) => status === 'failed');
  if (failed) {
    const detail = `line ${failed.errorLine ?? 1}: ${failed.failureReason ?? ''}`;
    return { status: 'failed', reason: 'import_failed', detail, results: [] };
  }
  const isCancelled = statements.every(({ status }) => status === 'cancelled');
  return isCancelled
    ? { status: 'ignored', reason: 'import_cancelled', results: [] }
    : { status: 'processed', results: [] };
}
