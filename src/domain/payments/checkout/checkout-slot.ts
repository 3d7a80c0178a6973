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
  /** Its network address. */
  address: string;
  /** The publishable key in the address; left out on links and subscription pages, which name none. */
  keyId?: string;
};

/** `rate_limited`: the visitor's network has started too much that is unpaid. */
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
 * How many times the cap the networks around an address may hold: the address (or its /64), the /56 and the /48. A phone
 * network spreads its customers over many /64 networks, but one attacker may own a whole /48.
 */
const networkShares = [1, 4, 16];
/** How many times what it may hold open a network may start in 24 hours without paying. */
const dailyFactor = 4;
const batchSize = 5_000;

/**
 * Runs `insert` while the visitor's network may start one more charge or free subscription, and counts it. The network's
 * lock is held until the transaction ends, so concurrent starts never exceed the cap. Errors: NetworkCapReached, with the
 * time until the first of the counted ones no longer counts.
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
  // A subscription without a first payment is never open, so it counts by its start alone.
  const slot = { objectId: object.id, expiresAt: object.expiresAt ?? now, createdAt: now, ...scope };
  await tx.checkoutSlot.createMany({
    data: networks.map(({ hash: networkHash }) => ({ ...slot, networkHash })),
  });
  return object;
}

/** `hash` is stored; `hashes` also has those under the other data keys. */
type Network = { share: number; hash: string; hashes: string[] };

/** The networks around a visitor's address, the smallest first. */
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

/** A reference stays reserved after the payment window, so both what is open and what was started in a day is limited. */
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

/** Paid charges, and subscriptions once paid, no longer count against the network that started them. */
export async function releaseCheckoutSlots(tx: Tx, charges: readonly Charge[]): Promise<void> {
  const ids = charges
    .filter(canHoldSlot)
    .flatMap(({ id, subscriptionId }) => (subscriptionId ? [id, subscriptionId] : [id]));
  if (ids.length > 0) await tx.checkoutSlot.deleteMany({ where: { objectId: { in: ids } } });
}

/** Charges of the API and of sessions never hold one, so that completing them costs no statement. */
function canHoldSlot({ isMergeable, sessionId }: Charge): boolean {
  return !isMergeable && sessionId === null;
}

/** Deletes the slots that no longer count; returns how many. */
export async function pruneCheckoutSlots(db: Db, time: SweepScope, signal?: AbortSignal): Promise<number> {
  const dayAgo = new Date(time.now.getTime() - dayMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM checkout_slot WHERE (object_id, network_hash) IN (
      SELECT object_id, network_hash FROM checkout_slot
      WHERE created_at <= ${dayAgo} AND expires_at <= ${time.now} AND ${sweepScopeSql(time)} LIMIT ${batchSize})`;
  return processDue({ batchSize, signal }, deleteBatch);
}
