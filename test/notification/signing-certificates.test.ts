import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createCertificate } from '../../src/domain/accounts/certificate/create-certificate.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { findSigningCertificates } from '../../src/notification/find-signing-certificates.ts';
import { signPayload } from '../../src/notification/sign.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

test('a certificate is RSA of 2048 bits with its public key in PEM; the private key is stored encrypted', async () => {
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

test('in each mode the newest that is not revoked signs; with none left there is none', async () => {
  const made = await seedMerchant(service);
  const caller = toOwnerCaller(made);
  const merchantId = made.merchant.id;
  const other = await seedMerchant(service, {}, minutesAfter(noon, 60));
  const merchantIds = [merchantId, other.merchant.id];
  const signing = async (mode: Mode = 'live') => {
    const certificateOf = await findSigningCertificates(service.prisma, merchantIds, minutesAfter(noon, 60));
    return certificateOf({ merchantId, mode })?.id ?? null;
  };
  const first = await signing();
  const inSandbox = await signing('sandbox');
  const second = await createCertificate(service, { caller, now: minutesAfter(noon, 1) });
  const third = await createCertificate(service, { caller, now: minutesAfter(noon, 2) });
  const revoke = (id: string) =>
    service.prisma.certificate.update({ where: { id }, data: { revokedAt: minutesAfter(noon, 3) } });
  expect(await signing()).toBe(third.id);
  await revoke(third.id);
  expect(await signing()).toBe(second.id);
  await revoke(second.id);
  expect(await signing()).toBe(first);
  await revoke(first ?? '');
  expect(await signing()).toBeNull();
  expect(await signing('sandbox')).toBe(inSandbox);
});

test('the same payload and key give the same signature', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const payload = '{"chargeId":"ch_1","notifyPayload":"é"}';
  expect(await signPayload(payload, privateKey)).toBe(await signPayload(payload, privateKey));
});
