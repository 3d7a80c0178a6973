import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { completeCharge, readCharges, seedPlan, seedSubscription } from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

/**
 * What a merchant's server is told of subscriptions, over HTTP, from enrolment to the end: every notification whole, in
 * its order, held against golden/subscription-webhooks.json. Ids are numbered there by their kind, secrets left out.
 */

const service: Service = await setupService(onCleanup);
const merchant = await seedMerchant(service);
const { id: merchantId } = merchant.merchant;
type Told = { step: string; body: unknown };

/** Ids by the order in which they come up, such as `<sub 1>`; what differs from run to run is named alone. */
function masker(): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) =>
    text
      .replaceAll(/http:\/\/[^"]*\/pay\/invoice\/(in_\w+)[^"]*/g, 'https://…/pay/invoice/$1…')
      .replaceAll(/"qrCode":"[^"]+"/g, '"qrCode":"…"')
      .replaceAll(/"nonce":"[A-Z]{5}[2-9]{4}"/g, '"nonce":"…"')
      .replaceAll(/\b(mer|sub|pl|ch|in|ev|cus)_[0-9a-z]{20,}/g, (id, kind: string) => {
        if (!known.has(id)) {
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
          known.set(id, `<${kind} ${counts.get(kind)}>`);
        }
        return known.get(id)!;
      });
}

/** Does something at a time; what the receiver is told of it, one after the other. */
function recorder(receiver: Receiver, told: Told[], mask: (text: string) => string) {
  return async <Result>(step: string, now: Date, work: () => Promise<Result>): Promise<Result> => {
    const before = receiver.requests.length;
    const result = await work();
    await relayEvents(service, { now });
    await deliverNotifications(service, { clock: { now: () => now } });
    for (const { body, headers } of receiver.requests.slice(before)) {
      expect(headers['webhook-id']).toBe(JSON.parse(body).eventId);
      told.push({ step, body: JSON.parse(mask(body)) });
    }
    return result;
  };
}

test('enrolment, payment, renewal, pause, payment after it, cancellation, and the last payment of a plan', async () => {
  await using receiver = await startReceiver();
  // One at a time, so that they arrive in the order in which they happened.
  await seedWebhook(service, merchant, { url: `${receiver.url}/hooks`, concurrency: 1 });
  const told: Told[] = [];
  const record = recorder(receiver, told, masker());
  const plan = await seedPlan(service, merchant, { now: day('2026-01-31') });
  const pay = async (id: string, now: Date) =>
    completeCharge(
      service,
      (await readCharges(service, id)).findLast(({ status }) => status === 'pending')!,
      now,
    );
  const renew = (now: Date) => renewSubscriptions(service, { now });

  const start = day('2026-01-31');
  const { subscription } = await record('enrols', start, () =>
    seedSubscription(service, merchant, { plan, now: start }),
  );
  const { id } = subscription;
  await record('pays', day('2026-02-01'), () => pay(id, day('2026-02-01')));
  await record('invoice due', day('2026-02-27'), () => renew(day('2026-02-27')));
  await record('pays the invoice', day('2026-02-28'), () => pay(id, day('2026-02-28')));
  await record('second invoice due', day('2026-03-30'), () => renew(day('2026-03-30')));
  await record('grace over', day('2026-04-02'), () => renew(day('2026-04-02')));
  await record('pays late', day('2026-04-02'), () => pay(id, day('2026-04-02')));
  await record('cancels', day('2026-04-03'), () =>
    cancelSubscription(service, { merchantId, mode: 'live', id, actor: 'customer', now: day('2026-04-03') }),
  );
  const once = await seedPlan(service, merchant, { input: { numPayments: 1 }, now: start });
  const last = await record('enrols for one payment', start, () =>
    seedSubscription(service, merchant, { plan: once, email: 'bo@example.com', now: start }),
  );
  await record('pays all', day('2026-02-01'), () => pay(last.subscription.id, day('2026-02-01')));

  expect(told.map(({ step, body }) => `${step}: ${(body as { message: string }).message}`)).toEqual([
    'enrols: subscription_created',
    'enrols: charge_created',
    'pays: CHARGE_COMPLETE',
    'pays: charge_completed',
    'pays: subscription_paid',
    'invoice due: charge_created',
    'invoice due: subscription_invoice_due',
    'pays the invoice: CHARGE_COMPLETE',
    'pays the invoice: charge_completed',
    'pays the invoice: subscription_paid',
    'second invoice due: charge_created',
    'second invoice due: subscription_invoice_due',
    'grace over: subscription_paused',
    'pays late: CHARGE_COMPLETE',
    'pays late: charge_completed',
    'pays late: subscription_paid',
    'cancels: subscription_cancelled',
    'enrols for one payment: subscription_created',
    'enrols for one payment: charge_created',
    'pays all: CHARGE_COMPLETE',
    'pays all: charge_completed',
    'pays all: subscription_paid',
    'pays all: subscription_completed',
  ]);
  const golden = new URL('golden/subscription-webhooks.json', import.meta.url);
  expect(told).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
});
