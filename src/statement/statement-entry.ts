import type { Money } from '../kit/money.ts';

/** What an entry stood in: banks tell of one payment in several of them, under references that may differ. */
export type StatementKind = 'camt.053' | 'camt.054' | 'mt940' | 'csv';

/**
 * One movement of money as a bank statement file tells it, whatever the format of the file.
 * Every reader of this folder yields this shape and nothing else. A member the file does not give is left out.
 */
export type StatementEntry = {
  kind: StatementKind;
  /**
   * Seen from the account of the statement: `credit` is money that came in. A reversal has the direction it really
   * moves.
   */
  direction: 'credit' | 'debit';
  /** Only `booked` money has moved for good; `pending` may still vanish, `information` never moves anything. */
  status: 'booked' | 'pending' | 'information';
  /** The bank takes back an earlier booking of its own. */
  reversal: boolean;
  /** A payment that came back from the other bank (refused, wrong account, recalled). */
  returned: boolean;
  /** Why it came back, in the bank's code and words: `AC04 Account closed`. */
  returnReason?: string;
  /** From zero up, exact; `direction` holds the sign. */
  amount: Money;
  /**
   * Payments this one movement stands for. Above 1 the file does not tell the single amounts: `reference` then holds
   * the texts of several payers, so the entry must never be matched to a charge by itself.
   */
  transactionCount: number;
  /** `YYYY-MM-DD` as the bank wrote it, with no time zone applied. */
  bookedOn?: string;
  /** Only where the bank gives a time with its offset. */
  bookedAt?: Date;
  /** `YYYY-MM-DDThh:mm:ss` (with fraction where given): a time without offset, to be read in the account's time zone. */
  bookedAtLocal?: string;
  /** `YYYY-MM-DD`: the day from which it counts for interest. */
  valueOn?: string;
  /** Identity given by the bank, one for each transaction of an account. */
  bankReference?: string;
  /** The bank's reference of the whole booking that this is a part of, or is under a reference of its own. */
  batchReference?: string;
  endToEndId?: string;
  transactionId?: string;
  instructionId?: string;
  mandateId?: string;
  /** Every text the payer can have written, in the order of the file, joined by a space; empty where there is none. */
  reference: string;
  /** The bank's own words. Some banks repeat the payer's remark here and nowhere else: search it after `reference`. */
  additionalInfo?: string;
  /** The other side: who paid (credit) or was paid (debit). */
  counterpartyName?: string;
  /** IBAN without spaces, or the number as the bank writes it. */
  counterpartyAccount?: string;
  /** IBAN or other number of the account of the statement. */
  accountId?: string;
  accountCurrency?: string;
  statementId?: string;
  /** Line of the file where the movement begins, counted from 1. */
  line: number;
};
