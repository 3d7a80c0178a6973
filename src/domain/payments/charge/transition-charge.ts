import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { Message } from '../../../event/catalogue.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Service } from '../../platform/service.ts';
import { releaseCheckoutSlots } from '../checkout/checkout-slot.ts';
import { countLinkUses } from '../checkout-link/count-link-uses.ts';
import { chargeEvents } from './charge-events.ts';
import { chargeTransitions } from './charge-state.ts';
import { type ChargeChange, type ChargeMove, chargeNotPending, updateCharges } from './update-charges.ts';

/** What each status tells the merchant. Only subscriptions hear `charge_completed`, see the event catalogue. */
const messagesOf: Record<ChargeStatus, readonly Message[]> = {
  pending: [],
  completed: ['CHARGE_COMPLETE', 'charge_completed'],
  expired: ['charge_expired'],
  cancelled: ['charge_cancelled'],
};

/** Where a charge goes; what completes one is told. */
type ChargeEnd = { to: 'expired' | 'cancelled' } | { to: 'completed'; completedBy: 'transfer' | 'hand' };

/** One charge as its caller read it, where it goes, and what is added to what it has received. */
type ChargeStep = { charge: Charge; received?: bigint } & ChargeEnd;

/**
 * The one writer of a charge's status, for charges that are each named once: compare-and-set on the status the caller
 * read, and the events, in the caller's transaction and a fixed number of statements. `completeCharges` completes
 * charges, since that may concern a subscription. Error: `charge_not_pending` when the status has moved on or the table
 * does not allow the step.
 */
export async function transitionCharges(
  uow: UnitOfWork<Service>,
  steps: readonly ChargeStep[],
  change: ChargeChange,
): Promise<Charge[]> {
  const refused = steps.find(({ charge, to }) => !chargeTransitions[charge.status].includes(to));
  if (refused) throw chargeNotPending(refused.charge);
  const moves = steps.map((step) => ({ ...step, messages: messagesFor(step) }));
  const moved = await moveCharges(uow, moves, change);
  await countLinkUses(uow.tx, steps);
  await releaseCheckoutSlots(
    uow.tx,
    moved.filter(({ status }) => status === 'completed'),
  );
  return moved;
}

/**
 * Adds to what charges have received (or takes away, below zero) without a change of status, with an event of each where
 * the catalogue has one. The caller holds their locks.
 */
export async function receiveOnCharges(
  uow: UnitOfWork,
  receipts: readonly { charge: Charge; received: bigint; message: Message | null }[],
  change: ChargeChange,
): Promise<Charge[]> {
  const moves = receipts.map(({ charge, received, message }) => ({
    charge,
    received,
    to: charge.status,
    messages: message === null ? [] : [message],
  }));
  const moved = await moveCharges(uow, moves, change);
  for (const charge of moved) announceChange(uow, { ...charge, objectId: charge.id });
  return moved;
}

async function moveCharges(
  uow: UnitOfWork,
  moves: readonly ChargeMove[],
  change: ChargeChange,
): Promise<Charge[]> {
  const moved = await updateCharges(uow.tx, moves, change);
  recordEvents(
    uow,
    moves.flatMap(({ messages }, i) => chargeEvents(moved[i] as Charge, messages, change)),
  );
  return moved;
}

function messagesFor({ charge, to }: ChargeStep): readonly Message[] {
  return messagesOf[to].filter((message) => message !== 'charge_completed' || charge.subscriptionId !== null);
}
