import type { Money } from '../kit/money.ts';

/** The kind of file. Banks report one payment in several kinds, under references that may differ. */
export type StatementKind =
  | 'camt.052'
  | 'camt.053'
  | 'camt.054'
  | 'mt940'
  | 'mt942'
  | 'ofx'
  | 'qif'
  | 'bai2'
  | 'csv';

/** The kind of file as its user knows it. Rows of workbooks and HTML tables are entries of the kind `csv`. */
export type StatementFileKind = StatementKind | 'xlsx' | 'html';

/**
 * One movement of money, independent of the file format. All readers in this folder yield this type. Properties that
 * the file lacks are undefined.
 */
export type StatementEntry = {
  kind: StatementKind;
  /**
   * From the view of the statement's account: `credit` is incoming. A reversal has the direction in which it
   * moves money.
   */
  direction: 'credit' | 'debit';
  /**
   * Only `booked` money has moved definitively. `provisional` is a booking of the current day in an interim
   * report, which the statement of the day confirms. `pending` may disappear, and `information` never moves
   * money.
   */
  status: 'booked' | 'provisional' | 'pending' | 'information';
  /** Whether the bank reverses its own earlier booking. */
  isReversal: boolean;
  /** Whether the other bank returned the payment (rejected, wrong account, recalled). */
  isReturned: boolean;
  /** The bank's code and text for the return, such as `AC04 Account closed`. */
  returnReason?: string;
  /** The exact amount, which is never negative: `direction` has the sign. */
  amount: Money;
  /**
   * The number of payments in this movement. If above 1, this entry does not have their amounts, and `reference`
   * holds the texts of several payers. Such an entry must never be matched automatically.
   */
  transactionCount: number;
  /** The booking date, `YYYY-MM-DD`, as the bank writes it, without time zone conversion. */
  bookedOn?: string;
  /** Set only if the bank writes a time with an offset. */
  bookedAt?: Date;
  /**
   * `YYYY-MM-DDThh:mm:ss`, with a fraction if the bank writes one. It has no offset and is in the account's
   * time zone.
   */
  bookedAtLocal?: string;
  /** `YYYY-MM-DD`: the date from which interest is calculated. */
  valueOn?: string;
  /** The bank's ID, unique per transaction of an account. */
  bankReference?: string;
  /** The bank's reference of the whole booking, if it differs from `bankReference`. */
  batchReference?: string;
  /**
   * The amount of the whole booking, in minor units. Set only for a batch whose bank deducted fees, so that
   * its payments are more than the booking. They have the status `information`, and the booking follows them.
   */
  netBatchAmount?: bigint;
  endToEndId?: string;
  transactionId?: string;
  instructionId?: string;
  mandateId?: string;
  /** All texts that the payer may have written, in file order, joined by spaces; empty if there are none. */
  reference: string;
  /**
   * The bank's own text. Some banks repeat the payer's remark only in this field: search it after
   * `reference`.
   */
  additionalInfo?: string;
  /**
   * All other texts of the movement: further names, references, purposes, codes of the bank and unmapped
   * columns. Any of them may contain the payment reference, but none is shown to the merchant as the payer's
   * text.
   */
  otherTexts?: string[];
  /** The balance of the account after the movement, in minor units; negative if it is overdrawn. */
  balanceAfter?: bigint;
  /** The other party: the payer of a credit, the payee of a debit. */
  counterpartyName?: string;
  /** The IBAN without spaces, or another account number as the bank writes it. */
  counterpartyAccount?: string;
  /** The IBAN or another number of the statement's account. */
  accountId?: string;
  accountCurrency?: string;
  statementId?: string;
  /** The position of the file in its archive; undefined if the file is not in an archive. */
  fileIndex?: number;
  /** The first line of the movement in the file, counted from 1. */
  line: number;
};
