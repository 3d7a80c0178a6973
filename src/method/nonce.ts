import { randomInt } from 'node:crypto';
import { dayMs } from '../kit/duration.ts';
import { nonceWords } from './nonce-words.ts';

/**
 * A nonce is what the customer writes into the payment: a word and four digits, easily read aloud and typed, without
 * characters that look alike (0 O, 1 I L). 9 characters fit every method's remark.
 */
const nonceLength = 9;
const nonceForm = /^[A-HJKMNP-Z]{5}[2-9]{4}$/;
const knownWords: ReadonlySet<string> = new Set(nonceWords);

/** How many there are. */
export const nonceCount = nonceWords.length * 8 ** 4;

/** An account does not use a nonce again for so long, so that late money finds the charge it was meant for. */
export const nonceCooldownMs = 180 * dayMs;

/** A random nonce. Uniqueness is the store's business. */
export function newNonce(): string {
  const word = nonceWords[randomInt(nonceWords.length)];
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
export function findNonces(folded: string): string[] {
  const found = new Set<string>();
  for (let at = 0; at + nonceLength <= folded.length; at++) {
    const stretch = folded.slice(at, at + nonceLength);
    if (nonceForm.test(stretch) && knownWords.has(stretch.slice(0, 5))) found.add(stretch);
  }
  return [...found];
}
