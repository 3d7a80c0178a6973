import type { Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { toReusedReference } from '../../../payments/allocation/bank-reference.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import { getFingerprint, type TransferInput } from '../record/draft-transfer.ts';

/** The recorded transfer that an input repeats, or the input of a new transfer. */
type RepeatCheck = { recorded: Transfer } | { input: TransferInput };

/**
 * Distinguishes repeats from new transfers. An input that reuses a bank reference with different content gets
 * a unique reference and the exception `id_reused`. The inputs must be of one source and have different bank
 * references.
 */
export async function checkRepeats(
  tx: Tx,
  account: BankAccount,
  inputs: readonly TransferInput[],
): Promise<ReadonlyMap<TransferInput, RepeatCheck>> {
  const recordedTransfers = await readByReference(tx, account, inputs);
  const isReused = (input: TransferInput) => {
    const recorded = recordedTransfers.get(input.bankReference);
    return recorded !== undefined && !isRepeat(recorded, input);
  };
  const reusedInputs = new Map(inputs.filter(isReused).map((input) => [input, withUniqueReferences(input)]));
  const recordedReused = await readByReference(tx, account, [...reusedInputs.values()].flat());
  const check = (input: TransferInput): RepeatCheck => {
    const candidates = reusedInputs.get(input);
    const recorded = candidates
      ? candidates
          .map(({ bankReference }) => recordedReused.get(bankReference))
          .find((row) => row !== undefined)
      : recordedTransfers.get(input.bankReference);
    return recorded ? { recorded } : { input: candidates ? candidates[0] : input };
  };
  return new Map(inputs.map((input) => [input, check(input)]));
}

async function readByReference(
  tx: Tx,
  account: BankAccount,
  inputs: readonly TransferInput[],
): Promise<Map<string, Transfer>> {
  const [first] = inputs;
  if (!first) return new Map();
  const rows = await tx.transfer.findMany({
    where: {
      receivingAccountId: { in: [...account.sharedIds] },
      source: first.source,
      undoneAt: null,
      bankReference: { in: inputs.map(({ bankReference }) => bankReference) },
    },
  });
  return new Map(rows.map((row) => [row.bankReference, row]));
}

/**
 * How far apart two files may date the same booking: the interim file on the day of the booking, the final
 * file after the holidays.
 */
const datedApartMs = 10 * dayMs;

/**
 * Returns whether an input repeats the recorded transfer with its bank reference. Banks reuse references, so
 * a transfer with a distant date or with another payment reference is a different payment.
 */
function isRepeat(recorded: Transfer, input: TransferInput): boolean {
  if (!getContentVersions(input).some((version) => recorded.fingerprint === getFingerprint(version)))
    return false;
  if (Math.abs(recorded.paidAt.getTime() - input.paidAt.getTime()) > datedApartMs) return false;
  const [recordedReferences, inputReferences] = [getPaymentReferences(recorded), getPaymentReferences(input)];
  return (
    recordedReferences.length === 0 ||
    inputReferences.length === 0 ||
    recordedReferences.some((reference) => inputReferences.includes(reference))
  );
}

/** Returns the content in its current form, then in the form that an earlier report may have had. */
function getContentVersions(input: TransferInput) {
  const { content, contentTime = input.paidAt.toISOString(), alternative } = input;
  return [{ content, contentTime }, ...(alternative ? [alternative] : [])] as const;
}

/**
 * Returns the input with a unique reference that is derived from its content. If the input has an alternative
 * content, also returns the input with the reference that is derived from that.
 */
function withUniqueReferences(input: TransferInput): [TransferInput, ...TransferInput[]] {
  const withReference = ({
    content,
    contentTime,
  }: {
    content: string;
    contentTime: string;
  }): TransferInput => {
    const bankReference = toReusedReference(input.bankReference, `${content} ${contentTime}`);
    return { ...input, bankReference, exception: 'id_reused' };
  };
  const [current, ...alternatives] = getContentVersions(input);
  return [withReference(current), ...alternatives.map(withReference)];
}
