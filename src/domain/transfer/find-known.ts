import type { ReceivingAccount, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { dayMs } from '../../kit/duration.ts';
import { sha256 } from '../../kit/secrets.ts';
import { fingerprintOf, type TransferInput } from './draft-transfer.ts';
import { noncesOf } from './nonces-of.ts';

/** What a source tells of: money recorded before, or money to record. */
export type Told = { known: Transfer } | { input: TransferInput };

/**
 * Tells repeats from new money. A bank reference that was used before with other content is money to record under a
 * reference of its own, as `id_reused`. The references must differ.
 */
export async function findKnown(
  tx: Tx,
  account: ReceivingAccount,
  inputs: readonly TransferInput[],
): Promise<Told[]> {
  const before = await readByReference(tx, account, inputs);
  const told = inputs.map((input): Told => {
    const known = before.get(input.bankReference);
    if (!known) return { input };
    return isRepeat(known, input) ? { known } : { input: underItsOwnReference(input) };
  });
  const reused = told.flatMap((one) => ('input' in one && isReused(one.input) ? [one.input] : []));
  const knownAgain = await readByReference(tx, account, reused);
  return told.map((one) => {
    const known = 'input' in one && isReused(one.input) && knownAgain.get(one.input.bankReference);
    return known ? { known } : one;
  });
}

async function readByReference(
  tx: Tx,
  account: ReceivingAccount,
  inputs: readonly TransferInput[],
): Promise<Map<string, Transfer>> {
  const [first] = inputs;
  if (!first) return new Map();
  const rows = await tx.transfer.findMany({
    where: {
      receivingAccountId: account.id,
      source: first.source,
      bankReference: { in: inputs.map(({ bankReference }) => bankReference) },
    },
  });
  return new Map(rows.map((row) => [row.bankReference, row]));
}

/** Two files date one booking so far apart at most: an interim one the day, the final one the day after the holidays. */
const datedApartMs = 10 * dayMs;

/**
 * Banks restart their references: the same one on another day, or with the nonce of another charge, is another payment.
 */
function isRepeat(known: Transfer, input: TransferInput): boolean {
  if (known.fingerprint !== fingerprintOf(input)) return false;
  if (Math.abs(known.paidAt.getTime() - input.paidAt.getTime()) > datedApartMs) return false;
  const [before, now] = [noncesOf(known), noncesOf(input)];
  return before.length === 0 || now.length === 0 || before.some((nonce) => now.includes(nonce));
}

function underItsOwnReference(input: TransferInput): TransferInput {
  const content = sha256(`${input.content} ${input.paidAt.toISOString()}`);
  const bankReference = `${input.bankReference}#${content}`;
  return { ...input, bankReference, exception: 'id_reused' };
}

function isReused(input: TransferInput): boolean {
  return input.exception === 'id_reused';
}
