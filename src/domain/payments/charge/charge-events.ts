import type { Charge } from '../../../../prisma/client/client.ts';
import type { Message } from '../../../event/catalogue.ts';
import type { EventInput } from '../../../event/event-row.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { chargePayload } from './charge-payload.ts';
import type { ChargeChange } from './update-charges.ts';

/**
 * Events of a charge as it is after a change. Each with a version of its own, up to that of the charge. A callback goes
 * out for its completion alone.
 */
export function chargeEvents(
  charge: Charge,
  messages: readonly Message[],
  { now, actor, address }: ChargeChange,
): EventInput[] {
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
    address,
    callbackUrl: message === 'CHARGE_COMPLETE' ? charge.notifyUrl : null,
    now,
  }));
}

/** Writes one event of each of these charges, in their order. */
export async function recordChargeEvents(
  uow: UnitOfWork,
  charges: readonly Charge[],
  message: Message,
  change: ChargeChange,
): Promise<void> {
  const events = charges.flatMap((charge) => chargeEvents(charge, [message], change));
  recordEvents(uow, events);
}
