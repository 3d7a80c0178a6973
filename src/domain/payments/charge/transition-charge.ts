import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { EventType } from '../../../event/catalogue.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Service } from '../../platform/service.ts';
import { releaseCheckoutSlots } from '../checkout/checkout-slot.ts';
import { countLinkUses } from '../checkout-link/count-link-uses.ts';
import { toChargeEvents } from './charge-events.ts';
import { chargeTransitions } from './charge-state.ts';
import { type ChargeChange, type ChargeUpdate, chargeNotPending, updateCharges } from './update-charges.ts';

/** What each status tells the merchant. Only subscriptions hear `charge_completed`, see the event catalogue. */
const eventTypesByStatus: Record<ChargeStatus, readonly EventType[]> = {
  pending: [],
  completed: ['CHARGE_COMPLETE', 'charge_completed'],
  expired: ['charge_expired'],
  cancelled: ['charge_cancelled'],
};

/** Where a charge goes; what completes one is told. */
type ChargeOutcome = { to: 'expired' | 'cancelled' } | { to: 'completed'; completedBy: 'transfer' | 'hand' };

/** One charge as its caller read it, where it goes, and what is added to what it has received. */
type ChargeTransition = { charge: Charge; received?: bigint } & ChargeOutcome;

/**
 * The one writer of a charge's status, for charges that are each named once: compare-and-set on the status the caller
 * read, and the events, in the caller's transaction and a fixed number of statements. `completeCharges` completes
 * charges, since that may concern a subscription. Error: `charge_not_pending` when the status has moved on or the table
 * does not allow the step.
 */
export async function transitionCharges(
  uow: UnitOfWork<Service>,
  transitions: readonly ChargeTransition[],
  change: ChargeChange,
): Promise<Charge[]> {
  const invalid = transitions.find(({ charge, to }) => !chargeTransitions[charge.status].includes(to));
  if (invalid) throw chargeNotPending(invalid.charge);
  const updates = transitions.map((transition) => ({ ...transition, eventTypes: getEventTypes(transition) }));
  const updated = await applyChargeUpdates(uow, updates, change);
  await countLinkUses(uow.tx, transitions);
  await releaseCheckoutSlots(
    uow.tx,
    updated.filter(({ status }) => status === 'completed'),
  );
  return updated;
}

/**
 * Adds to what charges have received (or takes away, below zero) without a change of status, with an event of each where
 * the catalogue has one. The caller holds their locks.
 */
export async function addReceivedAmounts(
  uow: UnitOfWork,
  receipts: readonly { charge: Charge; received: bigint; eventType: EventType | null }[],
  change: ChargeChange,
): Promise<Charge[]> {
  const updates = receipts.map(({ charge, received, eventType }) => ({
    charge,
    received,
    to: charge.status,
    eventTypes: eventType === null ? [] : [eventType],
  }));
  const updated = await applyChargeUpdates(uow, updates, change);
  for (const charge of updated) announceChange(uow, { ...charge, objectId: charge.id });
  return updated;
}

async function applyChargeUpdates(
  uow: UnitOfWork,
  updates: readonly ChargeUpdate[],
  change: ChargeChange,
): Promise<Charge[]> {
  const updated = await updateCharges(uow.tx, updates, change);
  recordEvents(
    uow,
    updates.flatMap(({ eventTypes }, i) => toChargeEvents(updated[i] as Charge, eventTypes, change)),
  );
  return updated;
}

function getEventTypes({ charge, to }: ChargeTransition): readonly EventType[] {
  return eventTypesByStatus[to].filter(
    (eventType) => eventType !== 'charge_completed' || charge.subscriptionId !== null,
  );
}
