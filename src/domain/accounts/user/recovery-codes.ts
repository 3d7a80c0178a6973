import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../kit/db.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { toBase32 } from '../../../kit/totp.ts';

const codeCount = 10;
/** 80 bits: a bare hash of so many is not turned back. */
const codeBytes = 10;

/** New recovery codes in place of a user's earlier ones, shown this once: `ABCD-EFGH-IJKL-MNOP`. Only hashes are kept. */
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

/** As it was hashed: without dashes and in capitals; 0, 1 and 8 are in no code, and read as what they look like. */
export function normalizeRecoveryCode(code: string): string {
  return code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B');
}
