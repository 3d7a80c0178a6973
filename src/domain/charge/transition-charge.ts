import type { Charge, ChargeStatus } from '../../../prisma/client/client.ts';
import type { Message } from '../../event/catalogue.ts';
import { announceChange, recordEvents } from '../../event/record-event.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { settleSubscriptionCharge } from '../subscription/settle-subscription-charge.ts';
import { chargePayload } from './charge-payload.ts';
import { chargeTransitions } from './charge-state.ts';

/** Who changes a charge, and when. */
export type ChargeChange = { now: Date; actor: string };

/** One charge as its caller read it, where it goes, and what is added to what it has received. */
export type ChargeStep = {
  charge: Charge;
  to: ChargeStatus;
  received?: bigint;
  completedBy?: 'transfer' | 'hand';
};

/** What each status tells the merchant. Only subscriptions hear `charge_completed`, see the event catalogue. */
const messagesOf: Record<ChargeStatus, readonly Message[]> = {
  pending: [],
  completed: ['CHARGE_COMPLETE', 'charge_completed'],
  expired: ['charge_expired'],
  cancelled: ['charge_cancelled'],
};

/**
 * The one writer of a charge's status: compare-and-set on the status the caller read, and its events, in the caller's
 * transaction. With a subscription's charge the subscription moves on too. Error: `charge_not_pending` when the status has moved on or the table does not allow the step.
 */
export async function transitionCharge(
  tx: Tx,
  charge: Charge,
  to: ChargeStatus,
  change: ChargeChange & Omit<ChargeStep, 'charge' | 'to'>,
): Promise<Charge> {
  const [moved] = await transitionCharges(tx, [{ ...change, charge, to }], change);
  return moved as Charge;
}

/** The same for many charges at once, each named once: in a fixed number of statements, all of them or none. */
export async function transitionCharges(
  tx: Tx,
  steps: readonly ChargeStep[],
  change: ChargeChange,
): Promise<Charge[]> {
  const refused = steps.find(({ charge, to }) => !chargeTransitions[charge.status].includes(to));
  if (refused) throw chargeNotPending(refused.charge);
  const moves = steps.map((step) => ({ ...step, messages: messagesFor(step) }));
  const moved = await updateCharges(tx, moves, change);
  await recordEvents(
    tx,
    moves.flatMap(({ messages }, i) => eventsOf(moved[i] as Charge, messages, change)),
  );
  for (const charge of moved) {
    const { subscriptionId, status } = charge;
    if (status !== 'completed' || subscriptionId === null) continue;
    await settleSubscriptionCharge(tx, { ...charge, subscriptionId }, change);
  }
  return moved;
}

/**
 * Adds to what charges have received (or takes away, below zero) without a change of status, with an event of each where
 * the catalogue has one. The caller holds their locks.
 */
export async function receiveOnCharges(
  tx: Tx,
  receipts: readonly { charge: Charge; received: bigint; message: Message | null }[],
  change: ChargeChange,
): Promise<Charge[]> {
  const moves = receipts.map(({ charge, received, message }) => ({
    charge,
    received,
    to: charge.status,
    messages: message === null ? [] : [message],
  }));
  const moved = await updateCharges(tx, moves, change);
  await recordEvents(
    tx,
    moves.flatMap(({ messages }, i) => eventsOf(moved[i] as Charge, messages, change)),
  );
  for (const charge of moved) announceChange(tx, { ...charge, objectId: charge.id });
  return moved;
}

function messagesFor({ charge, to }: ChargeStep): readonly Message[] {
  return messagesOf[to].filter((message) => message !== 'charge_completed' || charge.subscriptionId !== null);
}

/** Answers the charges as they are now, in the order given. */
async function updateCharges(
  tx: Tx,
  moves: readonly (ChargeStep & { messages: readonly Message[] })[],
  { now }: ChargeChange,
): Promise<Charge[]> {
  if (moves.length === 0) return [];
  const of = <T>(pick: (move: (typeof moves)[number]) => T): T[] => moves.map(pick);
  const rows = await tx.$queryRaw<{ id: string; version: number; received: bigint }[]>`
    UPDATE charge SET status = step."to", version = version + step.events, updated_at = ${now},
      amount_received = amount_received + step.received,
      completed_at = CASE WHEN step.completed_by IS NULL THEN completed_at ELSE ${now} END,
      completed_by = coalesce(step.completed_by, charge.completed_by)
    FROM unnest(${of(({ charge }) => charge.id)}::text[], ${of(({ charge }) => charge.status)}::charge_status[],
      ${of(({ to }) => to)}::charge_status[], ${of(({ messages }) => messages.length)}::int[],
      ${of(({ received }) => String(received ?? 0n))}::bigint[],
      ${of((move) => completedBy(move) ?? null)}::text[]) step (id, "from", "to", events, received, completed_by)
    WHERE charge.id = step.id AND charge.status = step."from"
    RETURNING charge.id, version, amount_received AS received`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return moves.map((move) => {
    const row = byId.get(move.charge.id);
    if (!row) throw chargeNotPending(move.charge);
    const by = completedBy(move);
    return {
      ...move.charge,
      status: move.to,
      version: row.version,
      amountReceived: row.received,
      updatedAt: now,
      ...(by && { completedAt: now, completedBy: by }),
    };
  });
}

/** Undefined where the step does not complete the charge. */
function completedBy(step: ChargeStep): 'transfer' | 'hand' | undefined {
  return step.to === 'completed' && step.charge.status !== 'completed'
    ? (step.completedBy ?? 'hand')
    : undefined;
}

/** Writes one event of a charge. */
export async function recordChargeEvent(
  tx: Tx,
  charge: Charge,
  message: Message,
  change: ChargeChange,
): Promise<void> {
  await recordEvents(tx, eventsOf(charge, [message], change));
}

/** Each with a version of its own, up to that of the charge. A callback goes out for its completion alone. */
function eventsOf(charge: Charge, messages: readonly Message[], { now, actor }: ChargeChange) {
  const { merchantId, mode } = charge;
  const payload = chargePayload(charge);
  return messages.map((message, i) => ({
    merchantId,
    mode,
    message,
    objectId: charge.id,
    objectVersion: charge.version - messages.length + i + 1,
    payload,
    actor,
    callbackUrl: message === 'CHARGE_COMPLETE' ? charge.notifyUrl : null,
    now,
  }));
}

function chargeNotPending(charge: Charge): DomainError {
  return new DomainError('charge_not_pending', `The charge ${charge.id} is no longer pending`);
}
