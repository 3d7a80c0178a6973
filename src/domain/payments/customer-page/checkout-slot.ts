import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { listClientNetworks } from '../../../kit/client-network.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { processDue } from '../../../kit/process-due.ts';
import { type SweepScope, sweepScopeSql } from '../../platform/clock/for-each-clock.ts';
import type { Service } from '../../platform/service.ts';

/** The browser that starts a charge on a customer page. */
export type PageVisitor = {
  ipAddress: string;
  /** The ID of the publishable key in the URL; undefined on pages whose URLs have none. */
  keyId?: string;
};

/**
 * Thrown with the code `rate_limited` if the visitor's network has started too many unpaid charges or
 * subscriptions.
 */
export class NetworkLimitError extends DomainError {
  constructor(retryAfterSeconds: number) {
    super(
      'rate_limited',
      'Too many unpaid charges or subscriptions were started from this network; try again later',
      [],
      retryAfterSeconds,
    );
  }
}

/**
 * The limits of the networks around an address, as multiples of the setting: the address (or its /64), the
 * /56 and the /48. A mobile network spreads its customers over many /64 networks, but one attacker may own a
 * whole /48.
 */
const networkMultiples = [1, 4, 16];
/** A network may start this multiple of its limit in 24 hours without paying. */
const dailyMultiple = 4;
const batchSize = 5_000;

/**
 * Runs `insert` if each network around the visitor may start one more charge or free subscription, and counts
 * the result. Locks the networks until the transaction ends, so that concurrent requests cannot exceed the
 * limits. Throws `NetworkLimitError` with the time until the network may start another one. The setting 0
 * disables the limits.
 */
export async function withCheckoutSlot<T extends { id: string; expiresAt?: Date }>(
  uow: UnitOfWork<Service>,
  { visitor, now, ...scope }: MerchantScope & { visitor: PageVisitor; now: Date },
  insert: () => Promise<T>,
): Promise<T> {
  const { tx, settings, secrets } = uow;
  if (settings.checkoutChargesMax === 0) return insert();
  const networks = hashNetworks(secrets, visitor, scope);
  await lockByName(tx, ...networks.map(({ hash }) => `checkout slot ${hash}`));
  for (const { multiple, hashes } of networks)
    await requireCapacity(tx, hashes, { max: settings.checkoutChargesMax * multiple, now });
  const object = await insert();
  // A subscription with a free start is never unpaid, so it counts only as a start.
  const slot = { objectId: object.id, expiresAt: object.expiresAt ?? now, createdAt: now, ...scope };
  await tx.checkoutSlot.createMany({
    data: networks.map(({ hash: networkHash }) => ({ ...slot, networkHash })),
  });
  return object;
}

/** `hash` is stored; `hashes` also contains the hashes with the other data keys. */
type Network = { multiple: number; hash: string; hashes: string[] };

/** Returns the networks around a visitor's address, the smallest first. */
export function hashNetworks(
  secrets: Service['secrets'],
  { ipAddress, keyId }: PageVisitor,
  { merchantId, mode }: MerchantScope,
): [Network, ...Network[]] {
  const scope = keyId ?? merchantId;
  return listClientNetworks(ipAddress).map((network, i) => {
    const signatures = secrets.listSignatures('checkout-network', mode, `${scope} ${network}`, merchantId);
    const hashes = signatures.map((signature) => signature.toString('base64url'));
    return { multiple: networkMultiples[i]!, hash: hashes[0]!, hashes };
  }) as [Network, ...Network[]];
}

/**
 * Throws `NetworkLimitError` if the network has started too many charges. Limits both open and recent starts,
 * because a payment reference stays reserved after the payment window.
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
  if (recent >= dailyMultiple * max) waitsMs.push(firstStart!.getTime() - dayAgo.getTime());
  if (waitsMs.length === 0) return;
  throw new NetworkLimitError(Math.max(1, Math.ceil(Math.max(...waitsMs) / 1_000)));
}

type SlotCount = { open: number; firstExpiry: Date | null; recent: number; firstStart: Date | null };

/** Deletes the slots of paid charges and of their subscriptions. */
export async function releaseCheckoutSlots(tx: Tx, charges: readonly Charge[]): Promise<void> {
  const ids = charges
    .filter(usesCheckoutSlot)
    .flatMap(({ id, subscriptionId }) => (subscriptionId ? [id, subscriptionId] : [id]));
  if (ids.length > 0) await tx.checkoutSlot.deleteMany({ where: { objectId: { in: ids } } });
}

/**
 * Returns whether a charge may have a slot. Charges of the API and of sessions never have one, so their
 * completion needs no statement that deletes slots.
 */
function usesCheckoutSlot({ isReusable, sessionId }: Charge): boolean {
  return !isReusable && sessionId === null;
}

/** Deletes expired slots that are older than a day. Returns the number of deleted slots. */
export async function pruneCheckoutSlots(db: Db, scope: SweepScope, signal?: AbortSignal): Promise<number> {
  const dayAgo = new Date(scope.now.getTime() - dayMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM checkout_slot WHERE (object_id, network_hash) IN (
      SELECT object_id, network_hash FROM checkout_slot
      WHERE created_at <= ${dayAgo} AND expires_at <= ${scope.now} AND ${sweepScopeSql(scope)} LIMIT ${batchSize})`;
  return processDue({ batchSize, signal }, deleteBatch);
}
