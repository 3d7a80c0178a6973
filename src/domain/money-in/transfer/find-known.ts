import type { ReceivingAccount, Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import { fingerprintOf, type TransferInput } from './draft-transfer.ts';

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
  const isReused = (input: TransferInput) => {
    const known = before.get(input.bankReference);
    return known !== undefined && !isRepeat(known, input);
  };
  const reused = new Map(inputs.filter(isReused).map((input) => [input, underOwnReferences(input)]));
  const again = await readByReference(tx, account, [...reused.values()].flat());
  return inputs.map((input): Told => {
    const own = reused.get(input);
    const known = own
      ? own.map(({ bankReference }) => again.get(bankReference)).find((row) => row !== undefined)
      : before.get(input.bankReference);
    return known ? { known } : { input: own ? own[0] : input };
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
  if (!tellingsOf(input).some((telling) => known.fingerprint === fingerprintOf(telling))) return false;
  if (Math.abs(known.paidAt.getTime() - input.paidAt.getTime()) > datedApartMs) return false;
  const [before, now] = [noncesOf(known), noncesOf(input)];
  return before.length === 0 || now.length === 0 || before.some((nonce) => now.includes(nonce));
}

/** As it is told, then as it may have been told before. */
function tellingsOf(input: TransferInput) {
  const { content, contentTime = input.paidAt.toISOString(), otherwise } = input;
  return [{ content, contentTime }, ...(otherwise ? [otherwise] : [])] as const;
}

/** Under the reference it is recorded by, then under the one it may have been recorded by before. */
function underOwnReferences(input: TransferInput): [TransferInput, ...TransferInput[]] {
  const under = ({ content, contentTime }: { content: string; contentTime: string }): TransferInput => {
    const bankReference = `${input.bankReference}#${sha256(`${content} ${contentTime}`)}`;
    return { ...input, bankReference, exception: 'id_reused' };
  };
  const [now, ...before] = tellingsOf(input);
  return [under(now), ...before.map(under)];
}
