import type { Charge, Mode } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { clientNetworks } from '../../../kit/client-network.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { processDue } from '../../../kit/process-due.ts';
import { type SweepScope, sweepScopeSql } from '../../platform/clock/for-each-clock.ts';
import type { Service } from '../../platform/service.ts';

/** The browser that starts a charge on a customer page. */
export type PageVisitor = {
  /** The IP address. */
  address: string;
  /** The publishable key in the URL. Undefined on links and subscription pages, which have none. */
  keyId?: string;
};

/** `rate_limited`: the visitor's network has started too many unpaid charges or subscriptions. */
export class NetworkCapReached extends DomainError {
  constructor(retryAfterSeconds: number) {
    super(
      'rate_limited',
      'Too many unpaid charges or subscriptions were started from this network',
      [],
      retryAfterSeconds,
    );
  }
}

type SlotScope = { merchantId: string; mode: Mode };

/**
 * Multiples of the cap for the networks around an address: the address (or its /64), the /56 and the /48. A
 * mobile network spreads its customers over many /64 networks, but one attacker may own a whole /48.
 */
const networkShares = [1, 4, 16];
/** A network may start this multiple of its cap in 24 hours without paying. */
const dailyFactor = 4;
const batchSize = 5_000;

/**
 * Runs `insert` if the visitor's network may start one more charge or free subscription, and counts the
 * result. Locks the network until the transaction ends, so that concurrent requests cannot exceed the cap.
 * Throws `NetworkCapReached` with the time until a slot is free.
 */
export async function withCheckoutSlot<T extends { id: string; expiresAt?: Date }>(
  uow: UnitOfWork<Service>,
  { visitor, now, ...scope }: SlotScope & { visitor: PageVisitor; now: Date },
  insert: () => Promise<T>,
): Promise<T> {
  const { tx } = uow;
  const { settings, secrets } = uow;
  if (settings.checkoutChargesMax === 0) return insert();
  const networks = hashNetworks(secrets, visitor, scope);
  await lockByName(tx, ...networks.map(({ hash }) => `checkout slot ${hash}`));
  for (const { share, hashes } of networks)
    await requireCapacity(tx, hashes, { max: settings.checkoutChargesMax * share, now });
  const object = await insert();
  // A subscription without a first payment is never unpaid, so only its start counts.
  const slot = { objectId: object.id, expiresAt: object.expiresAt ?? now, createdAt: now, ...scope };
  await tx.checkoutSlot.createMany({
    data: networks.map(({ hash: networkHash }) => ({ ...slot, networkHash })),
  });
  return object;
}

/** `hash` is stored; `hashes` also includes those under the other data keys. */
type Network = { share: number; hash: string; hashes: string[] };

/** Returns the networks around a visitor's address, smallest first. */
export function hashNetworks(
  secrets: Service['secrets'],
  { address, keyId }: PageVisitor,
  { merchantId, mode }: SlotScope,
): [Network, ...Network[]] {
  const scope = keyId ?? merchantId;
  return clientNetworks(address).map((network, i) => {
    const signatures = secrets.signatures('checkout-network', mode, `${scope} ${network}`);
    const hashes = signatures.map((signature) => signature.toString('base64url'));
    return { share: networkShares[i]!, hash: hashes[0]!, hashes };
  }) as [Network, ...Network[]];
}

/**
 * A payment reference stays reserved after the payment window, so both open and recent starts are limited.
 */
async function requireCapacity(
  tx: Tx,
  hashes: readonly string[],
  { max, now }: { max: number; now: Date },
): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const [counts] = await tx.$queryRaw<[SlotCount]>`
    SELECT count(*) FILTER (WHERE expires_at > ${now})::int AS open,
      min(expires_at) FILTER (WHERE expires_at > ${now}) AS "firstExpiry",
      count(*) FILTER (WHERE created_at > ${dayAgo})::int AS recent,
      min(created_at) FILTER (WHERE created_at > ${dayAgo}) AS "firstStart"
    FROM checkout_slot WHERE network_hash = ANY(${hashes}::text[])`;
  const { open, firstExpiry, recent, firstStart } = counts;
  const waitsMs: number[] = [];
  if (open >= max) waitsMs.push(firstExpiry!.getTime() - now.getTime());
  if (recent >= dailyFactor * max) waitsMs.push(firstStart!.getTime() - dayAgo.getTime());
  if (waitsMs.length === 0) return;
  throw new NetworkCapReached(Math.max(1, Math.ceil(Math.max(...waitsMs) / 1_000)));
}

type SlotCount = { open: number; firstExpiry: Date | null; recent: number; firstStart: Date | null };

/** Deletes the slots of paid charges and of their subscriptions. */
export async function releaseCheckoutSlots(tx: Tx, charges: readonly Charge[]): Promise<void> {
  const ids = charges
    .filter(canHoldSlot)
    .flatMap(({ id, subscriptionId }) => (subscriptionId ? [id, subscriptionId] : [id]));
  if (ids.length > 0) await tx.checkoutSlot.deleteMany({ where: { objectId: { in: ids } } });
}

/** Charges of the API and of sessions never hold a slot, so their completion skips the statement. */
function canHoldSlot({ isReusable, sessionId }: Charge): boolean {
  return !isReusable && sessionId === null;
}

/** Deletes expired slots older than a day. Returns their number. */
export async function pruneCheckoutSlots(db: Db, time: SweepScope, signal?: AbortSignal): Promise<number> {
  const dayAgo = new Date(time.now.getTime() - dayMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM checkout_slot WHERE (object_id, network_hash) IN (
      SELECT object_id, network_hash FROM checkout_slot
      WHERE created_at <= ${dayAgo} AND expires_at <= ${time.now} AND ${sweepScopeSql(time)} LIMIT ${batchSize})`;
  return processDue({ batchSize, signal }, deleteBatch);
}
