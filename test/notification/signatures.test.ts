import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createCertificate } from '../../src/domain/accounts/certificate/create-certificate.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { resendNotification } from '../../src/domain/accounts/notification/resend-notification.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { signPayload } from '../../src/notification/sign.ts';
import { findSigningCertificates } from '../../src/notification/start-deliverer.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { type ReceivedRequest, startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

// The package rejects timestamps that are far from the present.
const test = serviceTest.extend('clock', () => createFakeClock(new Date()));

const toOwner = (clock: FakeClock, merchant: NewMerchant) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  actor: 'user:test',
  now: clock.now(),
});

const create = (service: Service, clock: FakeClock, merchant: NewMerchant, url: string, signed: boolean) =>
  createWebhook(service, {
    ...toOwner(clock, merchant),
    input: { url, username: 'shop', password: 'sesame', isSigned: signed },
  });

async function receive(
  service: Service,
  clock: FakeClock,
  merchant: NewMerchant,
  receiver: TestReceiver,
  webhookId: string,
): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  await sendTestNotification(service, { ...toOwner(clock, merchant), webhookId });
  await deliverNotifications(service, { clock });
  expect(receiver.requests).toHaveLength(before + 1);
  return receiver.requests[before]!;
}

/** Verifies with the public package, as a merchant does; throws for an invalid signature. */
function verify(secret: string, { body, headers }: ReceivedRequest): unknown {
  return new StandardWebhook(secret).verify(body, headers as Record<string, string>);
}

describe('Standard Webhooks signatures', () => {
  test('are verified by the public package, which rejects another body and another secret', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret } = await create(service, clock, merchant, receiver.url, true);
    const request = await receive(service, clock, merchant, receiver, webhook.id);
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(verify(signingSecret!, request)).toMatchObject({ message: 'CHARGE_COMPLETE' });
    expect(request.headers['webhook-test']).toBe('true');
    expect(() =>
      verify(signingSecret!, { ...request, body: request.body.replace('128.5', '1.5') }),
    ).toThrow();
    const other = await create(service, clock, merchant, receiver.url, true);
    expect(() => verify(other.signingSecret!, request)).toThrow();
  });

  test('are sent only when enabled, by a secret that is stored encrypted and deleted when they are disabled', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret } = await create(service, clock, merchant, receiver.url, false);
    expect(signingSecret).toBeNull();
    expect(
      (await receive(service, clock, merchant, receiver, webhook.id)).headers['webhook-signature'],
    ).toBeUndefined();
    const setSigned = (signed: boolean) =>
      updateWebhook(service, { ...toOwner(clock, merchant), id: webhook.id, input: { isSigned: signed } });
    const on = await setSigned(true);
    expect(
      verify(on.signingSecret!, await receive(service, clock, merchant, receiver, webhook.id)),
    ).toBeTruthy();
    expect(on.webhook.signingSecretEncrypted).not.toContain(on.signingSecret!);
    expect((await setSigned(true)).signingSecret).toBeNull();
    expect((await setSigned(false)).webhook).toMatchObject({
      signingSecretEncrypted: null,
      previousSigningSecretEncrypted: null,
    });
    expect(
      (await receive(service, clock, merchant, receiver, webhook.id)).headers['webhook-signature'],
    ).toBeUndefined();
  });

  test('use both secrets during the overlap of a rotation, and the new one alone afterwards', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret: oldSecret } = await create(service, clock, merchant, receiver.url, true);
    const rotate = (overlapHours: number) =>
      rotateWebhookSecret(service, { ...toOwner(clock, merchant), id: webhook.id, overlapHours });
    const { signingSecret: newSecret } = await rotate(24);
    const both = await receive(service, clock, merchant, receiver, webhook.id);
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verify(oldSecret!, both)).toEqual(verify(newSecret, both));
    clock.advance(24 * 3_600_000);
    const testRequest = await receive(service, clock, merchant, receiver, webhook.id);
    expect(String(testRequest.headers['webhook-signature']).split(' ')).toHaveLength(1);
    clock.set(new Date());
    const { signingSecret: last } = await rotate(0);
    const request = await receive(service, clock, merchant, receiver, webhook.id);
    expect(verify(last, request)).toBeTruthy();
    expect(() => verify(newSecret, request)).toThrow();
  });

  test('keep their overlap: a second rotation within it has no overlap or is rejected', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const { webhook, signingSecret: first } = await create(service, clock, merchant, receiver.url, true);
    const rotate = (overlapHours: number) =>
      rotateWebhookSecret(service, { ...toOwner(clock, merchant), id: webhook.id, overlapHours });
    const { signingSecret: second } = await rotate(24);
    clock.advance(60_000);
    const until = new Date(clock.now().getTime() + 24 * 3_600_000 - 60_000).toISOString();
    await expect(rotate(1)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `/overlapHours must be 0, because the previous secret remains in use until ${until}`,
    });
    const both = await receive(service, clock, merchant, receiver, webhook.id);
    expect(verify(first!, both)).toEqual(verify(second, both));
    const { signingSecret: third } = await rotate(0);
    const request = await receive(service, clock, merchant, receiver, webhook.id);
    expect(verify(third, request)).toBeTruthy();
    for (const ended of [first!, second]) expect(() => verify(ended, request)).toThrow();
    // The rotation without overlap ended the earlier overlap.
    expect((await rotate(24)).webhook.previousSigningSecretExpiresAt).not.toBeNull();
  });

  test('are created again for a resend after 30 days, which has the original body', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    clock.advance(-30 * dayMs);
    const { webhook, signingSecret } = await create(service, clock, merchant, receiver.url, true);
    const first = await receive(service, clock, merchant, receiver, webhook.id);
    clock.advance(30 * dayMs);
    expect(() => verify(signingSecret!, first)).toThrow('too old');
    const { id } = await service.prisma.notification.findFirstOrThrow({ where: { webhookId: webhook.id } });
    await resendNotification(service, { ...toOwner(clock, merchant), id });
    await deliverNotifications(service, { clock });
    const resent = receiver.requests[1]!;
    expect(verify(signingSecret!, resent)).toMatchObject({ message: 'CHARGE_COMPLETE' });
    expect(resent.body).toBe(first.body);
  });

  test('cannot be rotated while they are disabled', async ({ service, clock, merchant }) => {
    const { webhook } = await create(service, clock, merchant, 'https://shop.example/', false);
    await expect(
      rotateWebhookSecret(service, { ...toOwner(clock, merchant), id: webhook.id, overlapHours: 1 }),
    ).rejects.toMatchObject({ code: 'webhook_unsigned' });
  });
});

describe('signing certificates', () => {
  test('have 2048-bit RSA keys, the public key in PEM and the private key encrypted', async ({ service }) => {
    const caller = toOwnerCaller(await seedMerchant(service));
    const certificate = await createCertificate(service, { caller, now: noon });
    expect(certificate.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(createPublicKey(certificate.publicKey).asymmetricKeyDetails?.modulusLength).toBe(2_048);
    expect(certificate.privateKeyEncrypted).not.toContain('PRIVATE KEY');
    const { id, privateKeyEncrypted } = certificate;
    const privateKey = await service.secrets.decrypt(
      privateKeyEncrypted,
      'certificate.private_key_encrypted',
      id,
    );
    expect(privateKey).toContain('PRIVATE KEY');
  });

  test('sign by the newest that is not revoked in each mode, if any', async ({ service }) => {
    const merchant = await seedMerchant(service);
    const caller = toOwnerCaller(merchant);
    const merchantId = merchant.merchant.id;
    const other = await seedMerchant(service, {}, minutesAfter(noon, 60));
    const merchantIds = [merchantId, other.merchant.id];
    const readSigningId = async (mode: Mode = 'live') => {
      const findCertificate = await findSigningCertificates(
        service.prisma,
        merchantIds,
        minutesAfter(noon, 60),
      );
      return findCertificate({ merchantId, mode })?.id ?? null;
    };
    const first = await readSigningId();
    const inSandbox = await readSigningId('sandbox');
    const second = await createCertificate(service, { caller, now: minutesAfter(noon, 1) });
    const third = await createCertificate(service, { caller, now: minutesAfter(noon, 2) });
    const revoke = (id: string) =>
      service.prisma.certificate.update({ where: { id }, data: { revokedAt: minutesAfter(noon, 3) } });
    expect(await readSigningId()).toBe(third.id);
    await revoke(third.id);
    expect(await readSigningId()).toBe(second.id);
    await revoke(second.id);
    expect(await readSigningId()).toBe(first);
    await revoke(first ?? '');
    expect(await readSigningId()).toBeNull();
    expect(await readSigningId('sandbox')).toBe(inSandbox);
  });

  test('create the same signature for the same payload and key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const payload = '{"chargeId":"ch_1","notifyPayload":"é"}';
    expect(await signPayload(payload, privateKey)).toBe(await signPayload(payload, privateKey));
  });
});
