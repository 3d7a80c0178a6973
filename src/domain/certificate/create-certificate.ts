import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Certificate } from '../../../prisma/client/client.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { dayMs, hourMs } from '../../kit/duration.ts';
import { invalidInput, rateLimited } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import type { Acting } from '../api-key/permissions.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireMerchantWide } from '../merchant/require-merchant-wide.ts';
import type { Service } from '../service.ts';

/** RSA with 2048 bits: what every merchant's crypto library verifies. PEM: SPKI and PKCS#8. */
export type KeyPair = { publicKey: string; privateKey: string };

const generate = promisify(generateKeyPair);
const signsFromMsMax = 90 * dayMs;
/** Of a merchant, so that nobody keeps the processors of all busy with keys. */
const perHourMax = 10;

/** Takes some tenths of a second on another thread, so it is made before a transaction begins. */
export function makeKeyPair(): Promise<KeyPair> {
  return generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** Stores the pair; the private key is encrypted and never leaves the service. */
export async function saveCertificate(
  service: Service,
  tx: Tx,
  options: { merchantId: string; keyPair: KeyPair; signsFrom?: Date; now: Date },
): Promise<Certificate> {
  const { merchantId, keyPair, now } = options;
  return tx.certificate.create({
    data: {
      id: newId('certificate', now),
      merchantId,
      publicKey: keyPair.publicKey,
      privateKeySealed: service.secrets.seal(keyPair.privateKey),
      signsFrom: options.signsFrom ?? now,
      createdAt: now,
    },
  });
}

/**
 * A new certificate, which signs callbacks from `signsFrom` (now) on; the merchant verifies them with its public key.
 * Until then, and for whatever was signed before, the earlier ones hold: so a merchant changes over without a gap. It
 * signs in both modes (`requireMerchantWide`). Errors: `permission_denied`, `invalid_request`, `rate_limited`.
 */
export async function createCertificate(
  service: Service,
  options: Acting & { signsFrom?: Date | null | undefined },
): Promise<Certificate> {
  const { caller, address, now } = options;
  requireMerchantWide(caller, 'certificates');
  const { actor } = caller;
  const merchantId = caller.merchant.id;
  const signsFrom = parseSignsFrom(options.signsFrom ?? now, now);
  await refuseTooMany(service, { merchantId, now });
  const keyPair = await makeKeyPair();
  return transact(service, async (tx) => {
    const certificate = await saveCertificate(service, tx, { merchantId, signsFrom, keyPair, now });
    const detail = { signsFrom: signsFrom.toISOString() };
    const entry = { merchantId, actor, address, objectId: certificate.id, detail, now };
    await recordAudit(tx, { ...entry, action: 'certificate.created' });
    return certificate;
  });
}

async function refuseTooMany(
  { prisma }: Service,
  { merchantId, now }: { merchantId: string; now: Date },
): Promise<void> {
  const last = await prisma.certificate.findFirst({
    where: { merchantId, createdAt: { gt: new Date(now.getTime() - hourMs) } },
    orderBy: { createdAt: 'desc' },
    skip: perHourMax - 1,
    select: { createdAt: true },
  });
  if (!last) return;
  const waitMs = last.createdAt.getTime() + hourMs - now.getTime();
  throw rateLimited(`A merchant makes at most ${perHourMax} certificates an hour`, Math.ceil(waitMs / 1_000));
}

function parseSignsFrom(signsFrom: Date, now: Date): Date {
  if (signsFrom.getTime() > now.getTime() + signsFromMsMax) {
    throw invalidInput('/signsFrom', 'must be within 90 days');
  }
  return signsFrom < now ? now : signsFrom;
}
