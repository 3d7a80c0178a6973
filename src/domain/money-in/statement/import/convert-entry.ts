import type { ReceivingAccount } from '../../../../../prisma/client/client.ts';
import { toInstant } from '../../../../kit/local-time.ts';
import { sha256 } from '../../../../kit/secrets.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import { toReusedReference } from '../../../payments/allocation/bank-reference.ts';
import { appendReferences } from '../../transfer/record/append-references.ts';
import {
  type TransferInput,
  toReversalReference,
  toSyntheticReference,
} from '../../transfer/record/draft-transfer.ts';

const payerNameLengthMax = 200;
/** No account number is longer, but a wrongly mapped column may be. */
const payerAccountLengthMax = 100;
/**
 * The maximum size of a stored bank reference, which PostgreSQL must be able to index. No bank reference is
 * longer, but a wrongly mapped column may be.
 */
const bankReferenceBytesMax = 2_000;

/**
 * Creates a function that converts the entries of one file to transfers. An entry without a bank reference
 * gets a synthetic one: a hash of booking date, amount, currency and balance or folded text and payer, and the ordinal
 * among the equal lines of that date in the file. The reference of a reversal gets a prefix, because banks
 * repeat the reference of the credit.
 */
export function createEntryConverter(
  account: ReceivingAccount,
  options: { statementId: string; now: Date },
): (entry: StatementEntry) => TransferInput {
  const ordinals = new Map<string, number>();
  return (rawEntry) => {
    const entry = withStorableReferences(rawEntry);
    const reference = [entry.reference, entry.additionalInfo].filter(Boolean).join(' ');
    const amount = `${entry.amount.minor} ${entry.amount.currency}`;
    const isReversal = entry.isReversal && entry.direction === 'debit';
    const prefix = isReversal ? 'reversal ' : entry.direction === 'debit' ? 'debit ' : '';
    const { reusesBankReferences } = account;
    const { identity, isReused } = identifyEntry(entry, {
      prefix,
      amount,
      reference,
      reusesBankReferences,
      ordinals,
    });
    return {
      source: 'statement',
      fileKind: entry.kind,
      bankReference: isReversal ? toReversalReference(identity) : identity,
      batchReference: entry.batchReference,
      reversedReference: isReversal ? entry.bankReference : undefined,
      // Banks change the text of a booking between interim and final files, so only the amount must be equal
      // in a repeat.
      content: amount,
      money: entry.amount,
      reference: appendReferences(reference, [
        entry.counterpartyName,
        ...(entry.otherTexts ?? []),
        entry.bankReference,
        entry.batchReference,
      ]),
      payerName: entry.counterpartyName?.slice(0, payerNameLengthMax).toWellFormed(),
      payerAccount: entry.counterpartyAccount?.slice(0, payerAccountLengthMax).toWellFormed() || undefined,
      ...getPaidAt(entry, account, options.now),
      statementId: options.statementId,
      exception: isReused ? 'id_reused' : getException(entry),
    };
  };
}

function withStorableReferences(entry: StatementEntry): StatementEntry {
  const { bankReference, batchReference } = entry;
  return {
    ...entry,
    ...(bankReference !== undefined && { bankReference: toStorableReference(bankReference) }),
    ...(batchReference !== undefined && { batchReference: toStorableReference(batchReference) }),
  };
}

function toStorableReference(reference: string): string {
  const isStorable = Buffer.byteLength(reference) <= bankReferenceBytesMax;
  return isStorable ? reference : `sha256:${sha256(reference)}`;
}

/**
 * Returns the reference of an entry. A balance after the entry identifies it better than its text, which banks change,
 * but not without the date, since the balance of an account can return to the same amount. Without a balance, the payer
 * distinguishes payments with the same text in files that do not overlap.
 *
 * If the account reuses references, the identity also contains date, amount and text. Otherwise a second entry with
 * the same reference and amount gets a suffix for its ordinal and is an exception (`id_reused`).
 */
function identifyEntry(
  { bankReference, bookedOn = '', balanceAfter, counterpartyAccount, counterpartyName = '' }: StatementEntry,
  options: {
    prefix: string;
    amount: string;
    reference: string;
    reusesBankReferences: boolean;
    ordinals: Map<string, number>;
  },
): { identity: string; isReused: boolean } {
  const { prefix, amount, reference, reusesBankReferences, ordinals } = options;
  const isSynthetic = bankReference === undefined || reusesBankReferences;
  const payer = foldReference(counterpartyAccount || counterpartyName);
  const text =
    balanceAfter === undefined ? `${foldReference(reference)} ${payer}` : `balance ${balanceAfter}`;
  const syntheticKey = sha256(
    isSynthetic
      ? `${bookedOn} ${prefix}${amount} ${bankReference === undefined ? '' : `${bankReference} `}${text}`
      : JSON.stringify([bankReference, prefix, amount]),
  );
  const ordinal = (ordinals.get(syntheticKey) ?? 0) + 1;
  ordinals.set(syntheticKey, ordinal);
  if (isSynthetic) return { identity: toSyntheticReference(syntheticKey, ordinal), isReused: false };
  const isReused = ordinal > 1;
  return {
    identity: isReused ? toReusedReference(bankReference, `line ${ordinal}`) : bankReference,
    isReused,
  };
}

/** Returns why the entry needs review, if it is a returned payment or a batch of payments. */
function getException(entry: StatementEntry): TransferInput['exception'] {
  if (entry.isReturned || entry.isReversal) return 'returned_payment';
  return entry.transactionCount > 1 ? 'batch' : undefined;
}

/** Returns the booking time or, if the entry has none, its date or the time of the import. */
function getPaidAt(
  entry: StatementEntry,
  account: ReceivingAccount,
  now: Date,
): { paidAt: Date; isPaidAtDateOnly: boolean } {
  if (entry.bookedAt) return { paidAt: entry.bookedAt, isPaidAtDateOnly: false };
  if (entry.bookedAtLocal)
    return { paidAt: toInstant(entry.bookedAtLocal, account.timeZone), isPaidAtDateOnly: false };
  const date = entry.bookedOn ?? entry.valueOn;
  return date
    ? { paidAt: new Date(`${date}T00:00:00Z`), isPaidAtDateOnly: true }
    : { paidAt: now, isPaidAtDateOnly: false };
}

export type SkipReason = 'provisional' | 'pending' | 'information' | 'zero_amount';

/**
 * Returns why an entry moves no money, or undefined if it is recorded. A provisional entry is recorded when
 * the statement with its booking is imported, so that no charge is completed by money that may disappear.
 */
export function getSkipReason({ status, amount }: StatementEntry): SkipReason | undefined {
  if (status !== 'booked') return status;
  return amount.minor === 0n ? 'zero_amount' : undefined;
}
