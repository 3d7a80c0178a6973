import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { EventInput } from '../../src/event/event-row.ts';
import { recordEvents } from '../../src/event/record-event.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
const events = 120;
const answeredAtOnce = 50;
/** As many as an endpoint without a limit of its own gets side by side. */
const sideBySide = 10;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

/**
 * An endpoint that is quick, so that deliveries are claimed for it in advance, and then answers no more until it is let
 * go: ten are under way, and others wait, claimed, for their turn.
 */
async function stuck() {
  const { receiver, go } = await startSticky();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const merchant = await seedMerchant(service);
  const owner = {
    merchantId: merchant.merchant.id,
    mode: 'live' as const,
    actor: 'user:test',
    now: new Date(),
  };
  const input = { url: receiver.url, username: 'shop', password: 'old sesame', isSigned: true };
  const { webhook, signingSecret } = await createWebhook(service, { ...owner, input });
  await transact(service, async (uow) =>
    recordEvents(
      uow,
      Array.from({ length: events }, (_, i) => completionOf(owner, i)),
    ),
  );
  await relayEvents(service, { now: new Date() });
  const { deliver, stop } = startDeliverer(service, { clock, onError: console.error });
  onTestFinished(stop);
  const done = deliver();
  await receiver.waitFor(({ length }) => length === answeredAtOnce + sideBySide);
  const of = { merchantId: merchant.merchant.id };
  let before = 0;
  const isSettled = async () => {
    const claimed = await service.prisma.notification.count({
      where: { ...of, leasedUntil: { not: null } },
    });
    const isSame = claimed === before;
    before = claimed;
    return isSame && claimed > sideBySide;
  };
  await expect.poll(isSettled, { interval: 200, timeout: 5_000 }).toBe(true);
  return {
    receiver,
    owner: { ...owner, id: webhook.id },
    signingSecret: signingSecret!,
    /** Its turn comes to what waits, some time later. */
    async goOn() {
      aheadMs = 6_000;
      go();
      await done;
    },
  };
}

function completionOf(
  owner: Pick<EventInput, 'merchantId' | 'mode' | 'actor' | 'now'>,
  i: number,
): EventInput {
  const objectId = `ch_${i}_${owner.merchantId}`;
  return {
    ...owner,
    type: 'CHARGE_COMPLETE',
    objectId,
    objectVersion: 1,
    payload: { chargeId: objectId },
  };
}

async function startSticky() {
  const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (request, response) => {
    if (request.index >= answeredAtOnce) await letGo;
    response.end();
  });
  onTestFinished(receiver.stop);
  return { receiver, go };
}

test('what waits in its queue while password and secret change carries those of the moment it is sent', async () => {
  const { receiver, owner, signingSecret: old, goOn } = await stuck();
  await updateWebhook(service, { ...owner, input: { password: 'new sesame' } });
  const { signingSecret: fresh } = await rotateWebhookSecret(service, { ...owner, overlapHours: 0 });
  await goOn();
  expect(receiver.requests).toHaveLength(events);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(events);
  for (const { index, headers, body } of receiver.requests) {
    const isOld = index < answeredAtOnce + sideBySide;
    const [password, secret] = isOld ? ['old sesame', old] : ['new sesame', fresh];
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`shop:${password}`).toString('base64')}`);
    new StandardWebhook(secret).verify(body, headers as Record<string, string>);
  }
});

test('what waits in its queue while the webhook is deleted is not sent', async () => {
  const { receiver, owner, goOn } = await stuck();
  await deleteWebhook(service, owner);
  await goOn();
  expect(receiver.requests).toHaveLength(answeredAtOnce + sideBySide);
  const rows = await service.prisma.notification.groupBy({
    by: ['status'],
    where: { merchantId: owner.merchantId },
    _count: true,
  });
  expect(Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))).toEqual({
    delivered: answeredAtOnce + sideBySide,
    skipped: events - answeredAtOnce - sideBySide,
  });
});
