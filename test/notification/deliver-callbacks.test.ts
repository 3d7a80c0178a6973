import { execFileSync } from 'node:child_process';
import { createVerify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createCertificate } from '../../src/domain/accounts/certificate/create-certificate.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications, relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedEvent, seedWebhook, unusualInput } from '../setup/notifications.ts';
import { hasOpenssl } from '../setup/openssl.ts';
import { type ReceivedRequest, respondWith, startReceiver } from '../setup/receiver.ts';
import { seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;
const start = new Date('2026-11-17T12:00:00.500Z');
const clock = createFakeClock(start);

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
  clock.set(start);
});

/** Paid in the sandbox; a callback is due. */
const makePaid = (notifyUrl: string) =>
  seedCompletedCharge(service, merchant, { input: { ...unusualInput, notifyUrl }, now: clock.now() });

const notifications = () =>
  service.prisma.notification.findMany({
    where: { merchantId: merchant.merchant.id },
    include: { attempts: true },
  });

const bytesOfPayload = ({ body }: ReceivedRequest) => JSON.stringify(JSON.parse(body).payload);

describe('a callback', () => {
  test('is signed over the exact bytes of its payload, as the certificate verifies', async () => {
    await using receiver = await startReceiver();
    await makePaid(`${receiver.url}/paid`);
    await relayAndDeliver(service, clock);
    const [request] = receiver.requests as [ReceivedRequest];
    const { signature, message: eventType, eventId, timestamp, payload } = JSON.parse(request.body);
    expect([eventType, Object.keys(payload).at(-1)]).toEqual(['CHARGE_COMPLETE', 'notifyPayload']);
    expect(payload).toMatchObject({ mode: 'sandbox', eventId, eventType, timestamp });
    expect(request.body).toContain(`"payload":${bytesOfPayload(request)},"signature":"`);
    expect(request.headers).not.toHaveProperty('authorization');
    expect(verify(bytesOfPayload(request), signature, merchant.certificates.sandbox)).toBe(true);
    expect(verify(`${bytesOfPayload(request)} `, signature, merchant.certificates.sandbox)).toBe(false);
  });

  test.skipIf(!hasOpenssl)('is verified by the openssl command too (needs openssl)', async () => {
    await using receiver = await startReceiver();
    await makePaid(`${receiver.url}/paid`);
    await relayAndDeliver(service, clock);
    const [request] = receiver.requests as [ReceivedRequest];
    const folder = await createTempDir(onTestFinished);
    writeFileSync(join(folder, 'key.pem'), merchant.certificates.sandbox);
    writeFileSync(join(folder, 'payload'), bytesOfPayload(request));
    writeFileSync(join(folder, 'signature'), Buffer.from(JSON.parse(request.body).signature, 'base64'));
    const args = ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'payload'];
    expect(execFileSync('openssl', args, { cwd: folder }).toString()).toBe('Verified OK\n');
  });

  test('is signed by the newest certificate that is not revoked', async () => {
    await using receiver = await startReceiver(respondWith(500));
    await seedEvent(service, merchant, { callbackUrl: receiver.url });
    const newer = await createCertificate(service, { caller: toOwnerCaller(merchant), now: clock.now() });
    await relayAndDeliver(service, clock);
    await service.prisma.certificate.update({ where: { id: newer.id }, data: { revokedAt: clock.now() } });
    clock.advance(10_000);
    await deliverNotifications(service, { clock });
    const signedBy = (key: string) =>
      receiver.requests.map((request) =>
        verify(bytesOfPayload(request), JSON.parse(request.body).signature, key),
      );
    expect(signedBy(newer.publicKey)).toEqual([true, false]);
    expect(signedBy(merchant.certificates.live)).toEqual([false, true]);
  });

  test('without a certificate is not sent unsigned; the attempt says why', async () => {
    await using receiver = await startReceiver();
    await service.prisma.certificate.updateMany({
      where: { merchantId: merchant.merchant.id },
      data: { revokedAt: clock.now() },
    });
    await seedEvent(service, merchant, { callbackUrl: receiver.url });
    await relayAndDeliver(service, clock);
    expect(receiver.requests).toHaveLength(0);
    expect(await notifications()).toMatchObject([
      {
        status: 'pending',
        attempts: [{ responseStatus: null, error: 'no certificate is available to sign it' }],
      },
    ]);
  });

  test('answered 410 ends, and switches no webhook off', async () => {
    await using receiver = await startReceiver(respondWith(410));
    await using webhooks = await startReceiver();
    const { id } = await seedWebhook(service, merchant, { url: webhooks.url });
    await seedEvent(service, merchant, { callbackUrl: receiver.url });
    await relayAndDeliver(service, clock);
    const [callback] = (await notifications()).filter(({ kind }) => kind === 'callback');
    expect(callback).toMatchObject({ status: 'failed', attemptCount: 1 });
    expect(await service.prisma.webhook.findUnique({ where: { id } })).toMatchObject({ disabledAt: null });
  });

  test('goes out beside the webhook, which carries no signature', async () => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { mode: 'sandbox', url: `${receiver.url}/hooks` });
    await makePaid(`${receiver.url}/paid`);
    await relayAndDeliver(service, clock);
    const members = new Map(receiver.requests.map(({ path, body }) => [path, Object.keys(JSON.parse(body))]));
    expect(members.get('/hooks')).not.toContain('signature');
    expect(members.get('/paid')?.at(-1)).toBe('signature');
  });
});

function verify(bytes: string, signature: string, publicKey: string): boolean {
  return createVerify('RSA-SHA256').update(bytes).verify(publicKey, signature, 'base64');
}
