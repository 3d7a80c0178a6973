import type { Charge } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalog.ts';
import type { EventInput } from '../../../event/event-row.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { toChargeEventPayload } from './to-charge-event-payload.ts';
import type { ChargeChange } from './update-charges.ts';

/**
 * Returns the events of a changed charge. Each has its own object version, the last being the charge's
 * version. Only completion is sent to the charge's callback URL.
 */
export function toChargeEvents(
  charge: Charge,
  eventTypes: readonly EventType[],
  { now, actor, ipAddress }: ChargeChange,
): EventInput[] {
  const { merchantId, mode } = charge;
  const payload = toChargeEventPayload(charge);
  return eventTypes.map((eventType, i) => ({
    merchantId,
    mode,
    type: eventType,
    objectId: charge.id,
    objectVersion: charge.version - eventTypes.length + i + 1,
    payload,
    actor,
    ipAddress,
    callbackUrl: eventType === 'CHARGE_COMPLETE' ? charge.notifyUrl : null,
    now,
  }));
}

/** Records one event for each charge, in order. */
export async function recordChargeEvents(
  uow: UnitOfWork,
  charges: readonly Charge[],
  eventType: EventType,
  change: ChargeChange,
): Promise<void> {
  const events = charges.flatMap((charge) => toChargeEvents(charge, [eventType], change));
  recordEvents(uow, events);
}
