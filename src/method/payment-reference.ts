import { randomInt } from 'node:crypto';
import { dayMs } from '../kit/duration.ts';
import { paymentReferenceWords } from './payment-reference-words.ts';

/**
 * A payment reference is the code that the customer writes into the payment: a word, five digits and a check
 * letter. It is easy to read aloud and type, has no characters that look alike (0 O, 1 I L), and its
 * characters fit the remark of every method.
 */
export const paymentReferenceLength = 10;
const wordLength = 4;
const digitCount = 5;
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ';
/** No reference ends with these letters, because they look like the digits 8, 6, 5 and 2 before them. */
const digitLikeLetters = 'BGSZ';
const referencePattern = /^[A-HJKMNP-Z]{4}[2-9]{5}[AC-FHJKMNP-RT-Y]$/;
export const referenceDigits = ['2', '3', '4', '5', '6', '7', '8', '9'];
export const referenceWords: ReadonlySet<string> = new Set(paymentReferenceWords);

/**
 * An account does not reuse a payment reference for this time, so that late transfers match the charge they
 * were meant for.
 */
export const paymentReferenceCooldownDays = 180;
export const paymentReferenceCooldownMs = paymentReferenceCooldownDays * dayMs;

/** Returns a random payment reference. The database enforces uniqueness. */
export function newPaymentReference(): string {
  for (;;) {
    const word = paymentReferenceWords[randomInt(paymentReferenceWords.length)];
    const number = Array.from({ length: digitCount }, () => randomInt(2, 10));
    const reference = withCheckLetter(`${word}${number.join('')}`);
    if (!digitLikeLetters.includes(reference.charAt(reference.length - 1))) return reference;
  }
}

/** Appends the check letter to a word and its digits. */
export function withCheckLetter(body: string): string {
  return body + letters.charAt(getWeightedSum(body) % letters.length);
}

/**
 * The weights are the positions. There are 23 letters, and 23 is a prime above the number of positions. So
 * every changed character and every two characters that are swapped change the sum.
 */
function getWeightedSum(text: string, firstPosition = 1): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += (firstPosition + i) * getValue(text.charAt(i));
  return sum;
}

function getValue(character: string): number {
  const letter = letters.indexOf(character);
  return letter >= 0 ? letter : Number(character);
}

/** Returns whether the text is a payment reference with the right check letter. */
export function isPaymentReference(text: string): boolean {
  if (!referencePattern.test(text) || !referenceWords.has(text.slice(0, wordLength))) return false;
  return withCheckLetter(text.slice(0, -1)) === text;
}

const wordsBySum = Map.groupBy(paymentReferenceWords, (word) => getWeightedSum(word) % letters.length);

/** Returns the words that form a payment reference with these digits and this check letter. */
export function listWordsFor(end: string): readonly string[] {
  const missing = getValue(end.charAt(digitCount)) - getWeightedSum(end.slice(0, digitCount), wordLength + 1);
  const { length } = letters;
  return wordsBySum.get(((missing % length) + length) % length) ?? [];
}

export const paymentReferenceCount = countPaymentReferences();

function countPaymentReferences(): number {
  const modulus = letters.length;
  let countBySum = Array.from({ length: modulus }, (_, sum): number => (sum === 0 ? 1 : 0));
  for (let i = 0; i < digitCount; i++) {
    const next = new Array<number>(modulus).fill(0);
    for (const [sum, count] of countBySum.entries())
      for (const digit of referenceDigits) {
        const nextSum = (sum + getWeightedSum(digit, wordLength + 1 + i)) % modulus;
        next[nextSum] = (next[nextSum] ?? 0) + count;
      }
    countBySum = next;
  }
  const isAllowed = (sum: number) => !digitLikeLetters.includes(letters.charAt(sum % modulus));
  return paymentReferenceWords
    .flatMap((word) => countBySum.map((count, sum) => (isAllowed(getWeightedSum(word) + sum) ? count : 0)))
    .reduce((total, count) => total + count, 0);
}

/**
 * Returns a remark in the form that is searched: NFKC, upper case, letters and digits only, and the digits of
 * every script as 0 to 9. Banks wrap, upper-case and punctuate remarks, phones type full-width letters, and
 * Thai customers type Thai digits.
 */
export function foldReference(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit);
}

/** In Unicode, the ten digits of a script follow each other, in some cases after those of another script. */
function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0)!;
  let first = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
  return String((codePoint - first) % 10);
}

/** Returns the payment references at any position of a folded text, in order and without duplicates. */
export function findPaymentReferences(folded: string): string[] {
  const references = new Set<string>();
  for (let position = 0; position + paymentReferenceLength <= folded.length; position++) {
    const candidate = folded.slice(position, position + paymentReferenceLength);
    if (isPaymentReference(candidate)) references.add(candidate);
  }
  return [...references];
}

/** Returns whether a folded text contains a word, five digits and a letter that is not their check letter. */
export function hasWrongCheckLetter(folded: string): boolean {
  return [...folded.matchAll(/(?=([A-HJKMNP-Z]{4})[2-9]{5}[A-Z])/g)].some(
    ({ index, 1: word = '' }) =>
      referenceWords.has(word) && !isPaymentReference(folded.slice(index, index + paymentReferenceLength)),
  );
}
