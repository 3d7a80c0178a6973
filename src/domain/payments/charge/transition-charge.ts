import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { EventType } from '../../../event/catalog.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import type { Service } from '../../platform/service.ts';
import { releaseCheckoutSlots } from '../customer-page/checkout-slot.ts';
import { toChargeEvents } from './charge-events.ts';
import { chargeTransitions } from './charge-state.ts';
import {
  type ChargeChange,
  type ChargeUpdate,
  chargeNotPendingError,
  updateCharges,
} from './update-charges.ts';

/**
 * The event types of each status. Only charges of subscriptions send `charge_completed`; see the event
 * catalog.
 */
const eventTypesByStatus: Record<ChargeStatus, readonly EventType[]> = {
  pending: ['charge_extended'],
  completed: ['CHARGE_COMPLETE', 'charge_completed'],
  expired: ['charge_expired'],
  cancelled: ['charge_cancelled'],
};

type ChargeOutcome =
  | { to: 'expired' | 'cancelled' | 'pending' }
  | { to: 'completed'; completedBy: 'transfer' | 'sandbox' };

type ChargeTransition = { charge: Charge; received?: bigint; fee?: bigint } & ChargeOutcome;

/**
 * Changes the status of distinct charges and records their events, in the caller's transaction and a fixed
 * number of statements. No other code writes the status. To complete charges, call `completeCharges`, which
 * also settles subscriptions. Throws `charge_not_pending` if the transition is not allowed, or the status has
 * changed since the caller read the charge.
 */
export async function transitionCharges(
  uow: UnitOfWork<Service>,
  transitions: readonly ChargeTransition[],
  change: ChargeChange,
): Promise<Charge[]> {
  const invalidTransition = transitions.find(
    ({ charge, to }) => !chargeTransitions[charge.status].includes(to),
  );
  if (invalidTransition) throw chargeNotPendingError(invalidTransition.charge);
  const updates = transitions.map((transition) => ({ ...transition, eventTypes: getEventTypes(transition) }));
  const updatedCharges = await applyChargeUpdates(uow, updates, change);
  await countLinkUses(uow.tx, transitions);
  await releaseCheckoutSlots(
    uow.tx,
    updatedCharges.filter(({ status }) => status === 'completed'),
  );
  return updatedCharges;
}

/**
 * Adds to the received amounts of charges without a status change; a negative amount subtracts. Records an
 * event for each receipt that has an event type. The caller must hold the row locks of the charges.
 */
export async function addReceivedAmounts(
  uow: UnitOfWork,
  receipts: readonly { charge: Charge; received: bigint; fee?: bigint; eventType: EventType | null }[],
  change: ChargeChange,
): Promise<Charge[]> {
  const updates = receipts.map(({ charge, received, fee, eventType }) => ({
    charge,
    received,
    fee,
    to: charge.status,
    eventTypes: eventType === null ? [] : [eventType],
  }));
  const updatedCharges = await applyChargeUpdates(uow, updates, change);
  for (const charge of updatedCharges) announceChange(uow, { ...charge, objectId: charge.id });
  return updatedCharges;
}

async function applyChargeUpdates(
  uow: UnitOfWork,
  updates: readonly ChargeUpdate[],
  change: ChargeChange,
): Promise<Charge[]> {
  const updatedCharges = await updateCharges(uow.tx, updates, change);
  recordEvents(
    uow,
    updates.flatMap(({ eventTypes }, i) => toChargeEvents(updatedCharges[i] as Charge, eventTypes, change)),
  );
  return updatedCharges;
}

function getEventTypes({ charge, to }: ChargeTransition): readonly EventType[] {
  return eventTypesByStatus[to].filter(
    (eventType) => eventType !== 'charge_completed' || charge.subscriptionId !== null,
  );
}

/** A charge with one of these statuses counts toward the limit of its checkout link. */
const usingStatuses: ReadonlySet<ChargeStatus> = new Set(['pending', 'completed']);

/**
 * Updates the `uses` and `paid` of checkout links for charges that change status, in the same transaction. A
 * charge that is paid after it ended counts again, even beyond the limit, because the money has arrived.
 */
async function countLinkUses(
  tx: Tx,
  transitions: readonly { charge: Charge; to: ChargeStatus }[],
): Promise<void> {
  const changes = new Map<string, { uses: number; paid: number }>();
  for (const { charge, to } of transitions) {
    if (charge.checkoutLinkId === null) continue;
    const { uses, paid } = changes.get(charge.checkoutLinkId) ?? { uses: 0, paid: 0 };
    changes.set(charge.checkoutLinkId, {
      uses: uses + Number(usingStatuses.has(to)) - Number(usingStatuses.has(charge.status)),
      paid: paid + Number(to === 'completed') - Number(charge.status === 'completed'),
    });
  }
  if (changes.size === 0) return;
  const counts = [...changes.values()];
  // Locks the links in the order of IDs, so that batches with common links do not deadlock.
  await tx.$executeRaw`
    UPDATE checkout_link SET uses = uses + locked.used, paid = paid + locked.completed FROM (
      SELECT link.id, input.used, input.completed
      FROM unnest(${[...changes.keys()]}::text[], ${counts.map(({ uses }) => uses)}::int[],
        ${counts.map(({ paid }) => paid)}::int[]) AS input (id, used, completed)
      JOIN checkout_link link ON link.id = input.id ORDER BY link.id FOR UPDATE OF link) locked
    WHERE checkout_link.id = locked.id`;
}
