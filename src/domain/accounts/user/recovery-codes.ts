import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../kit/db.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { toBase32 } from '../../../kit/totp.ts';

const codeCount = 10;
/** 80 bits: enough that an unsalted hash cannot be reversed. */
const codeBytes = 10;

/**
 * Replaces a user's recovery codes and returns the new ones, for example `ABCD-EFGH-IJKL-MNOP`. Only their
 * hashes are stored, so they cannot be shown again.
 */
export async function replaceRecoveryCodes(
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
): Promise<string[]> {
  const newCodes = Array.from({ length: codeCount }, () => toBase32(randomBytes(codeBytes)));
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: newCodes.map((code) => ({ codeHash: sha256(code), userId, createdAt: now })),
  });
  return newCodes.map((code) => code.match(/.{4}/g)!.join('-'));
}

/**
 * Returns the form of a recovery code that is hashed: upper case, with 0, 1 and 8 replaced by the letters
 * they resemble, because base32 does not use them.
 */
export function normalizeRecoveryCode(code: string): string {
  return code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B');
}
