import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { resendNotification } from '../../src/domain/accounts/notification/resend-notification.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;
const clock = createFakeClock(new Date());

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
  // The package refuses timestamps that are far from the present.
  clock.set(new Date());
});

const owner = () => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  actor: 'user:test',
  now: clock.now(),
});
const create = (url: string, signed: boolean) =>
  createWebhook(service, {
    ...owner(),
    input: { url, username: 'shop', password: 'sesame', isSigned: signed },
  });

/** What the webhook gets now. */
async function receive(receiver: Receiver, webhookId: string): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  await sendTestNotification(service, { ...owner(), webhookId });
  await deliverNotifications(service, { clock });
  expect(receiver.requests).toHaveLength(before + 1);
  return receiver.requests[before]!;
}

/** As a merchant does with the public package; throws for what is not genuine. */
function verify(secret: string, { body, headers }: ReceivedRequest): unknown {
  return new StandardWebhook(secret).verify(body, headers as Record<string, string>);
}

describe('signatures after Standard Webhooks', () => {
  test('are verified by the public package; another body, or another secret, is not', async () => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret } = await create(receiver.url, true);
    const request = await receive(receiver, webhook.id);
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(verify(signingSecret!, request)).toMatchObject({ message: 'CHARGE_COMPLETE' });
    expect(request.headers['webhook-test']).toBe('true');
    expect(() =>
      verify(signingSecret!, { ...request, body: request.body.replace('128.5', '1.5') }),
    ).toThrow();
    const other = await create(receiver.url, true);
    expect(() => verify(other.signingSecret!, request)).toThrow();
  });

  test('are there only when turned on; the secret is stored encrypted, and forgotten when turned off', async () => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret } = await create(receiver.url, false);
    expect(signingSecret).toBeNull();
    expect((await receive(receiver, webhook.id)).headers['webhook-signature']).toBeUndefined();
    const turn = (signed: boolean) =>
      updateWebhook(service, { ...owner(), id: webhook.id, input: { isSigned: signed } });
    const on = await turn(true);
    expect(verify(on.signingSecret!, await receive(receiver, webhook.id))).toBeTruthy();
    expect(on.webhook.signingSecretEncrypted).not.toContain(on.signingSecret!);
    expect((await turn(true)).signingSecret).toBeNull();
    expect((await turn(false)).webhook).toMatchObject({
      signingSecretEncrypted: null,
      previousSigningSecretEncrypted: null,
    });
    expect((await receive(receiver, webhook.id)).headers['webhook-signature']).toBeUndefined();
  });

  test('by both secrets while they are rotated, by the new one alone after the overlap', async () => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret: old } = await create(receiver.url, true);
    const rotate = (overlapHours: number) =>
      rotateWebhookSecret(service, { ...owner(), id: webhook.id, overlapHours });
    const { signingSecret: fresh } = await rotate(24);
    const both = await receive(receiver, webhook.id);
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verify(old!, both)).toEqual(verify(fresh, both));
    clock.advance(24 * 3_600_000);
    const one = await receive(receiver, webhook.id);
    expect(String(one.headers['webhook-signature']).split(' ')).toHaveLength(1);
    clock.set(new Date());
    const { signingSecret: last } = await rotate(0);
    const request = await receive(receiver, webhook.id);
    expect(verify(last, request)).toBeTruthy();
    expect(() => verify(fresh, request)).toThrow();
  });

  test('keep the overlap that was promised: a second rotation within it is one without overlap, or refused', async () => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret: first } = await create(receiver.url, true);
    const rotate = (overlapHours: number) =>
      rotateWebhookSecret(service, { ...owner(), id: webhook.id, overlapHours });
    const { signingSecret: second } = await rotate(24);
    clock.advance(60_000);
    const until = new Date(clock.now().getTime() + 24 * 3_600_000 - 60_000).toISOString();
    await expect(rotate(1)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `/overlapHours must be 0 until ${until}: until then the previous secret also signs`,
    });
    const both = await receive(receiver, webhook.id);
    expect(verify(first!, both)).toEqual(verify(second, both));
    const { signingSecret: third } = await rotate(0);
    const request = await receive(receiver, webhook.id);
    expect(verify(third, request)).toBeTruthy();
    for (const ended of [first!, second]) expect(() => verify(ended, request)).toThrow();
    // It left no overlap behind.
    expect((await rotate(24)).webhook.previousSigningSecretExpiresAt).not.toBeNull();
  });

  test('are fresh at a resend after 30 days, whose body is the one of then', async () => {
    await using receiver = await startReceiver();
    clock.advance(-30 * dayMs);
    const { webhook, signingSecret } = await create(receiver.url, true);
    const first = await receive(receiver, webhook.id);
    clock.advance(30 * dayMs);
    expect(() => verify(signingSecret!, first)).toThrow('too old');
    const { id } = await service.prisma.notification.findFirstOrThrow({ where: { webhookId: webhook.id } });
    await resendNotification(service, { ...owner(), id });
    await deliverNotifications(service, { clock });
    const resent = receiver.requests[1]!;
    expect(verify(signingSecret!, resent)).toMatchObject({ message: 'CHARGE_COMPLETE' });
    expect(resent.body).toBe(first.body);
  });

  test('cannot be rotated while they are off', async () => {
    const { webhook } = await create('https://shop.example/', false);
    await expect(
      rotateWebhookSecret(service, { ...owner(), id: webhook.id, overlapHours: 1 }),
    ).rejects.toMatchObject({ code: 'webhook_unsigned' });
  });
});
