import { relayEvents } from '../../src/event/relay-events.ts';
import type { Clock } from '../../src/kit/clock.ts';
import {
  type DelivererOptions,
  type DeliveryService,
  startDeliverer,
} from '../../src/notification/start-deliverer.ts';

/**
 * Delivers everything that is due, once: ends when nothing is due any more and nothing under way, or, with the signal,
 * as soon as what is under way has ended. Throws the first error of our own, after the rest is done.
 */
export async function deliverNotifications(
  service: DeliveryService,
  options: Omit<DelivererOptions, 'onError'> & { signal?: AbortSignal },
): Promise<void> {
  const { signal, ...rest } = options;
  const errors: Error[] = [];
  const deliverer = startDeliverer(service, { ...rest, onError: (error) => errors.push(error) });
  const stop = () => void deliverer.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (!signal?.aborted) await deliverer.deliver();
  await deliverer.stop();
  signal?.removeEventListener('abort', stop);
  if (errors[0]) throw errors[0];
}

/** What has happened is relayed, and delivered as above. */
export async function relayAndDeliver(service: DeliveryService, clock: Clock): Promise<void> {
  await relayEvents(service, { now: clock.now() });
  await deliverNotifications(service, { clock });
}
