import type { ReceivingAccount } from '../../../prisma/client/client.ts';
import { instantOf } from '../../kit/instant-of.ts';
import { sha256 } from '../../kit/secrets.ts';
import { foldReference } from '../../method/nonce.ts';
import type { StatementEntry } from '../../statement/statement-entry.ts';
import { reversalReference, standInReference, type TransferInput } from '../transfer/draft-transfer.ts';

const payerNameMax = 200;
/** What an index of the database has room for. No bank's reference is as long, but a column taken for one may be. */
const bankReferenceBytesMax = 2_000;

/**
 * Turns the entries of one file into transfers. Where the bank gives no reference, (booking date, amount, currency,
 * folded text, ordinal among equal lines of that date in the file) stands for it. What takes a credit back has an
 * identity of its own, since banks repeat the reference of the credit.
 */
export function entryReader(
  account: ReceivingAccount,
  options: { statementId: string; now: Date },
): (entry: StatementEntry) => TransferInput {
  const ordinals = new Map<string, number>();
  return (told) => {
    const entry = withStorableReferences(told);
    const reference = [entry.reference, entry.additionalInfo].filter(Boolean).join(' ');
    const amount = `${entry.amount.minor} ${entry.amount.currency}`;
    const takesBack = entry.reversal && entry.direction === 'debit';
    const way = takesBack ? 'reversal ' : entry.direction === 'debit' ? 'debit ' : '';
    const { own, isReused } = identify(entry, { way, amount, reference, ordinals });
    return {
      source: 'statement',
      fileKind: entry.kind,
      bankReference: takesBack ? reversalReference(own) : own,
      batchReference: entry.batchReference,
      reverses: takesBack ? entry.bankReference : undefined,
      // Banks word the same booking differently in their interim and final files: only the amount must agree.
      content: amount,
      money: entry.amount,
      reference,
      payerName: entry.counterpartyName?.slice(0, payerNameMax).toWellFormed(),
      ...paidAt(entry, account, options.now),
      statementId: options.statementId,
      exception: isReused ? 'id_reused' : exceptionOf(entry),
    };
  };
}

function withStorableReferences(entry: StatementEntry): StatementEntry {
  const { bankReference, batchReference } = entry;
  return {
    ...entry,
    ...(bankReference !== undefined && { bankReference: storable(bankReference) }),
    ...(batchReference !== undefined && { batchReference: storable(batchReference) }),
  };
}

function storable(reference: string): string {
  const fits = Buffer.byteLength(reference) <= bankReferenceBytesMax;
  return fits ? reference : `sha256:${sha256(reference)}`;
}

/**
 * What the line is known by. No file lists a movement twice: a second one of the same reference and amount is another
 * movement whose bank uses its references again, and a person decides.
 */
function identify(
  { bankReference, bookedOn = '' }: StatementEntry,
  given: { way: string; amount: string; reference: string; ordinals: Map<string, number> },
): { own: string; isReused: boolean } {
  const { way, amount, reference, ordinals } = given;
  const standIn = sha256(
    bankReference === undefined
      ? `${bookedOn} ${way}${amount} ${foldReference(reference)}`
      : JSON.stringify([bankReference, way, amount]),
  );
  const ordinal = (ordinals.get(standIn) ?? 0) + 1;
  ordinals.set(standIn, ordinal);
  if (bankReference === undefined) return { own: standInReference(standIn, ordinal), isReused: false };
  const isReused = ordinal > 1;
  return { own: isReused ? `${bankReference}#${ordinal}` : bankReference, isReused };
}

/** What has to be looked at by a person: several payments booked as one, and the merchant's own coming back. */
function exceptionOf(entry: StatementEntry): TransferInput['exception'] {
  if (entry.returned || entry.reversal) return 'returned_payment';
  return entry.transactionCount > 1 ? 'batch' : undefined;
}

/** The booking time where the bank gives one, else the date alone; a line without any date is as late as its import. */
function paidAt(
  entry: StatementEntry,
  account: ReceivingAccount,
  now: Date,
): { paidAt: Date; paidAtIsDate: boolean } {
  if (entry.bookedAt) return { paidAt: entry.bookedAt, paidAtIsDate: false };
  if (entry.bookedAtLocal)
    return { paidAt: instantOf(entry.bookedAtLocal, account.timeZone), paidAtIsDate: false };
  const date = entry.bookedOn ?? entry.valueOn;
  return date
    ? { paidAt: new Date(`${date}T00:00:00Z`), paidAtIsDate: true }
    : { paidAt: now, paidAtIsDate: false };
}
