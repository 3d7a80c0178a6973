import { randomInt } from 'node:crypto';
import { dayMs } from '../kit/duration.ts';
import { paymentReferenceWords } from './payment-reference-words.ts';

/**
 * A nonce is what the customer writes into the payment: a word and four digits, easily read aloud and typed, without
 * characters that look alike (0 O, 1 I L). 9 characters fit every method's remark.
 */
const referenceLength = 9;
const referencePattern = /^[A-HJKMNP-Z]{5}[2-9]{4}$/;
const referenceWords: ReadonlySet<string> = new Set(paymentReferenceWords);

/** How many there are. */
export const paymentReferenceCount = paymentReferenceWords.length * 8 ** 4;

/** An account does not use a nonce again for so long, so that late money finds the charge it was meant for. */
export const paymentReferenceCooldownMs = 180 * dayMs;

/** A random nonce. Uniqueness is the store's business. */
export function newPaymentReference(): string {
  const word = paymentReferenceWords[randomInt(paymentReferenceWords.length)];
  const digits = Array.from({ length: 4 }, () => randomInt(2, 10));
  return `${word}${digits.join('')}`;
}

/**
 * A remark as it is searched: banks wrap, upper-case and punctuate remarks, and phones type wide letters. NFKC, upper
 * case, letters and digits only.
 */
export function foldReference(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Every nonce that stands in a folded reference, at any position, each once, in order. */
export function findPaymentReferences(folded: string): string[] {
  const references = new Set<string>();
  for (let at = 0; at + referenceLength <= folded.length; at++) {
    const candidate = folded.slice(at, at + referenceLength);
    if (referencePattern.test(candidate) && referenceWords.has(candidate.slice(0, 5)))
      references.add(candidate);
  }
  return [...references];
}
