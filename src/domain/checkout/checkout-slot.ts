import type { Charge, Mode } from '../../../prisma/client/client.ts';
import { clientNetworks } from '../../kit/client-network.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { processDue } from '../../kit/process-due.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { type Service, serviceOf } from '../service.ts';
import { inSweep, type SweepTime } from '../test-clock/sweep-clocks.ts';

/** The browser that starts a charge on a customer page. */
export type PageVisitor = {
  /** Its network address. */
  address: string;
  /** The publishable key in the address; left out on links and subscription pages, which name none. */
  keyId?: string;
};

/** `rate_limited`: the visitor's network has too many unpaid charges. */
export class NetworkCapReached extends DomainError {
  constructor(retryAfterSeconds: number) {
    super(
      'rate_limited',
      'Too many unpaid charges have been started from this network',
      [],
      retryAfterSeconds,
    );
  }
}

type Owner = { merchantId: string; mode: Mode };

/**
 * How many times the cap the networks around an address may hold: the address (or its /64), the /56 and the /48. A phone
 * network spreads its customers over many /64 networks, but one attacker may own a whole /48.
 */
const networkShares = [1, 4, 16];
const batchSize = 5_000;

/**
 * Runs `insert` while the visitor's network may start one more charge, and counts that charge. The network's lock is held
 * until the transaction ends, so concurrent starts never exceed the cap. Errors: NetworkCapReached, with the time until the
 * first of the counted charges expires.
 */
export async function withCheckoutSlot(
  tx: Tx,
  { visitor, now, ...owner }: Owner & { visitor: PageVisitor; now: Date },
  insert: () => Promise<Charge>,
): Promise<Charge> {
  const { settings, secrets } = serviceOf(tx);
  if (settings.checkoutChargesMax === 0) return insert();
  const networks = hashNetworks(secrets, visitor, owner);
  await takeTurn(tx, ...networks.map(({ hash }) => `checkout slot ${hash}`));
  await requireFree(tx, networks, { max: settings.checkoutChargesMax, now });
  const charge = await insert();
  const { id: chargeId, expiresAt } = charge;
  await tx.checkoutSlot.createMany({
    data: networks.map(({ hash: networkHash }) => ({ chargeId, networkHash, expiresAt, ...owner })),
  });
  return charge;
}

/** `hash` is stored; `hashes` also has those under the other data keys. */
type Network = { share: number; hash: string; hashes: string[] };

function hashNetworks(
  secrets: Service['secrets'],
  { address, keyId }: PageVisitor,
  { merchantId, mode }: Owner,
): Network[] {
  const scope = keyId ?? merchantId;
  return clientNetworks(address).map((network, i) => {
    const signatures = secrets.signatures('checkout-network', mode, `${scope} ${network}`);
    const hashes = signatures.map((signature) => signature.toString('base64url'));
    return { share: networkShares[i]!, hash: hashes[0]!, hashes };
  });
}

async function requireFree(
  tx: Tx,
  networks: readonly Network[],
  { max, now }: { max: number; now: Date },
): Promise<void> {
  for (const { share, hashes } of networks) {
    const { _count: held, _min: first } = await tx.checkoutSlot.aggregate({
      where: { networkHash: { in: hashes }, expiresAt: { gt: now } },
      _count: true,
      _min: { expiresAt: true },
    });
    if (held < max * share) continue;
    const waitMs = first.expiresAt!.getTime() - now.getTime();
    throw new NetworkCapReached(Math.max(1, Math.ceil(waitMs / 1_000)));
  }
}

/** Charges that were paid no longer count against the network that started them. */
export async function releaseCheckoutSlots(tx: Tx, charges: readonly Charge[]): Promise<void> {
  const ids = charges.filter(mayHoldSlot).map(({ id }) => id);
  if (ids.length > 0) await tx.checkoutSlot.deleteMany({ where: { chargeId: { in: ids } } });
}

/** Charges of the API and of sessions never hold one, so that completing them costs no statement. */
function mayHoldSlot({ isMergeable, sessionId }: Charge): boolean {
  return !isMergeable && sessionId === null;
}

/** Deletes the slots of charges whose payment window is over; answers how many. */
export async function pruneCheckoutSlots(db: Db, time: SweepTime, signal?: AbortSignal): Promise<number> {
  const deleteSome = () => db.prisma.$executeRaw`
    DELETE FROM checkout_slot WHERE (charge_id, network_hash) IN (
      SELECT charge_id, network_hash FROM checkout_slot
      WHERE expires_at <= ${time.now} AND ${inSweep(time)} LIMIT ${batchSize})`;
  return processDue({ batchSize, signal }, deleteSome);
}
