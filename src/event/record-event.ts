import { announceChange } from './announce-change.ts';
import type { EventInput } from './event-row.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** Records the event in the unit of work, which writes it before the commit and announces it afterwards. */
export function recordEvent(uow: UnitOfWork, input: EventInput): void {
  uow.events.push(input);
  announceChange(uow, input);
}

/** Records several events; those of one object must be in version order. */
export function recordEvents(uow: UnitOfWork, inputs: readonly EventInput[]): void {
  for (const input of inputs) recordEvent(uow, input);
}
