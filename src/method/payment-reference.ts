import { randomInt } from 'node:crypto';
import { dayMs } from '../kit/duration.ts';
import { paymentReferenceWords } from './payment-reference-words.ts';

/**
 * A payment reference is the code that the customer writes into the payment: a word and four digits. It
 * is easy to read aloud and type, and has no characters that look alike (0 O, 1 I L). Its 9 characters
 * fit the remark of every method.
 */
const referenceLength = 9;
const referencePattern = /^[A-HJKMNP-Z]{5}[2-9]{4}$/;
const referenceWords: ReadonlySet<string> = new Set(paymentReferenceWords);

/** The number of distinct payment references. */
export const paymentReferenceCount = paymentReferenceWords.length * 8 ** 4;

/**
 * An account does not reuse a payment reference for this time, so that late transfers match the charge they
 * were meant for.
 */
export const paymentReferenceCooldownMs = 180 * dayMs;

/** Returns a random payment reference. The database enforces uniqueness. */
export function newPaymentReference(): string {
  const word = paymentReferenceWords[randomInt(paymentReferenceWords.length)];
  const digits = Array.from({ length: 4 }, () => randomInt(2, 10));
  return `${word}${digits.join('')}`;
}

/**
 * Returns a remark in the form that is searched: NFKC, upper case, letters and digits only. Banks wrap,
 * upper-case and punctuate remarks, and phones type full-width letters.
 */
export function foldReference(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the payment references at any position of a folded text, in order and without duplicates. */
export function findPaymentReferences(folded: string): string[] {
  const references = new Set<string>();
  for (let position = 0; position + referenceLength <= folded.length; position++) {
    const candidate = folded.slice(position, position + referenceLength);
    if (referencePattern.test(candidate) && referenceWords.has(candidate.slice(0, 5)))
      references.add(candidate);
  }
  return [...references];
}
