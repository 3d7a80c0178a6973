import { relayEvents } from '../../src/event/relay-events.ts';
import type { Clock } from '../../src/kit/clock.ts';
import {
  type DelivererOptions,
  type DeliveryService,
  startDeliverer,
} from '../../src/notification/start-deliverer.ts';

/**
 * Delivers all due notifications once. Ends when none is due or in progress, or after an abort signal when none is in
 * progress. Throws the first internal error at the end.
 */
export async function deliverNotifications(
  service: DeliveryService,
  options: Omit<DelivererOptions, 'onError'> & { signal?: AbortSignal },
): Promise<void> {
  const { signal, ...delivererOptions } = options;
  const errors: Error[] = [];
  const deliverer = startDeliverer(service, { ...delivererOptions, onError: (error) => errors.push(error) });
  const stop = () => void deliverer.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (!signal?.aborted) await deliverer.deliver();
  await deliverer.stop();
  signal?.removeEventListener('abort', stop);
  if (errors[0]) throw errors[0];
}

export async function relayAndDeliver(service: DeliveryService, clock: Clock): Promise<void> {
  await relayEvents(service, { now: clock.now() });
  await deliverNotifications(service, { clock });
}
