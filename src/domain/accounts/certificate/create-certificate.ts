import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Certificate, Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs, hourMs } from '../../../kit/duration.ts';
import { invalidInputError, rateLimitedError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { type RequestContext, requirePermission } from '../api-key/permissions.ts';

/** A 2048-bit RSA key pair in PEM (SPKI and PKCS#8). Every common crypto library supports such keys. */
export type KeyPair = { publicKey: string; privateKey: string };

const generateKeyPairAsync = promisify(generateKeyPair);
const signsFromDelayMsMax = 90 * dayMs;
/**
 * The limit applies to each merchant and mode, so that no merchant can exhaust the CPU with key generation.
 */
const certificatesPerHourMax = 10;

/**
 * Generates a key pair on another thread, which takes tenths of a second. Call the function before a
 * transaction begins.
 */
export function createKeyPair(): Promise<KeyPair> {
  return generateKeyPairAsync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** Creates the key pairs of a new merchant; live and sandbox never share one. */
export async function createKeyPairs(): Promise<Record<Mode, KeyPair>> {
  const [live, sandbox] = await Promise.all([createKeyPair(), createKeyPair()]);
  return { live, sandbox };
}

/** Stores a key pair as a certificate. The private key is encrypted. */
export async function insertCertificate(
  service: Service,
  tx: Tx,
  options: MerchantScope & { keyPair: KeyPair; signsFrom?: Date; now: Date },
): Promise<Certificate> {
  const { merchantId, mode, keyPair, now } = options;
  const id = newId('certificate', now);
  const { secrets } = service;
  return tx.certificate.create({
    data: {
      id,
      merchantId,
      mode,
      publicKey: keyPair.publicKey,
      privateKeyEncrypted: secrets.encrypt(keyPair.privateKey, 'certificate.private_key_encrypted', id),
      signsFrom: options.signsFrom ?? now,
      createdAt: now,
    },
  });
}

/**
 * Creates a certificate that signs the callbacks of the caller's mode from `signsFrom`, by default now.
 * Merchants verify callbacks with its public key. Earlier certificates stay valid for verification, so
 * callbacks can be verified throughout a rotation.
 * Errors: `permission_denied`, `invalid_request`, `rate_limited`.
 */
export async function createCertificate(
  service: Service,
  options: RequestContext & { signsFrom?: Date | null | undefined },
): Promise<Certificate> {
  const { caller, ipAddress, now } = options;
  requirePermission(caller, 'manage');
  const { actor, mode } = caller;
  const scope = { merchantId: caller.merchant.id, mode };
  const signsFrom = parseSignsFrom(options.signsFrom ?? now, now);
  await checkHourlyLimit(service, { ...scope, now });
  const keyPair = await createKeyPair();
  return transact(service, async (uow) => {
    const certificate = await insertCertificate(service, uow.tx, { ...scope, signsFrom, keyPair, now });
    const detail = { signsFrom: signsFrom.toISOString() };
    const entry = { ...scope, actor, ipAddress, objectId: certificate.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'certificate.created' });
    return certificate;
  });
}

async function checkHourlyLimit(
  { prisma }: Service,
  { merchantId, mode, now }: MerchantScope & { now: Date },
): Promise<void> {
  const oldest = await prisma.certificate.findFirst({
    where: { merchantId, mode, createdAt: { gt: new Date(now.getTime() - hourMs) } },
    orderBy: { createdAt: 'desc' },
    skip: certificatesPerHourMax - 1,
    select: { createdAt: true },
  });
  if (!oldest) return;
  const waitMs = oldest.createdAt.getTime() + hourMs - now.getTime();
  throw rateLimitedError(
    `At most ${certificatesPerHourMax} certificates can be created per hour; try again later`,
    Math.ceil(waitMs / 1_000),
  );
}

function parseSignsFrom(signsFrom: Date, now: Date): Date {
  if (signsFrom.getTime() > now.getTime() + signsFromDelayMsMax) {
    throw invalidInputError('/signsFrom', 'must be at most 90 days in the future');
  }
  return signsFrom < now ? now : signsFrom;
}
