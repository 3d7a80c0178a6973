import {
  isPaymentReference,
  listWordsFor,
  paymentReferenceLength,
  referenceDigits,
  referenceWords,
  withCheckLetter,
} from './payment-reference.ts';

/** The maximum length of a searched text, which limits the work. Banks truncate longer texts. */
const searchLengthMax = 1_000;

/**
 * Returns the payment references that the payer may have meant: each is one edit away from a substring of
 * the folded text. An edit changes, removes or inserts a character, or swaps two neighbors. The result is a
 * suggestion and never enough for a match.
 */
export function findSimilarReferences(folded: string): string[] {
  const text = folded.slice(0, searchLengthMax);
  return [...new Set([...correctWords(text), ...correctEnds(text), ...correctSwaps(text)])];
}

/** Corrects the three, four or five letters before five digits and a check letter. */
function* correctWords(text: string): Generator<string> {
  for (const { index, 1: end = '' } of text.matchAll(/(?=([2-9]{5}[AC-FHJKMNP-RT-Y]))/g)) {
    const candidates = [3, 4, 5].flatMap((length) =>
      index >= length ? text.slice(index - length, index) : [],
    );
    for (const word of listWordsFor(end)) {
      if (candidates.some((candidate) => isOneEditAway(candidate, word))) yield word + end;
    }
  }
}

function isOneEditAway(text: string, word: string): boolean {
  const at = [...word].findIndex((letter, i) => letter !== text[i]);
  if (at < 0) return text.length > word.length;
  const [textRest, wordRest] = [text.slice(at + 1), word.slice(at + 1)];
  if (text.length < word.length) return text.slice(at) === wordRest;
  if (text.length > word.length) return textRest === word.slice(at);
  const isSwap = text[at] === word[at + 1] && text[at + 1] === word[at];
  return textRest === wordRest || (isSwap && text.slice(at + 2) === word.slice(at + 2));
}

/** Corrects the digits and the check letter after a word. */
function* correctEnds(text: string): Generator<string> {
  // One error leaves at least four of the five digits.
  for (const { index, 1: word = '' } of text.matchAll(/(?=([A-HJKMNP-Z]{4})[^2-9]?(?:[2-9][^2-9]?){4})/g)) {
    if (!referenceWords.has(word)) continue;
    const rest = text.slice(index + 4, index + 11);
    const candidates = [withCheckLetter(word + rest.slice(0, 5)), ...listEnds(rest).map((end) => word + end)];
    yield* candidates.filter(
      (candidate) => isPaymentReference(candidate) && !text.startsWith(candidate, index),
    );
  }
}

/**
 * Returns texts of six characters that are one edit away from the beginning of `rest`. Changed and inserted characters
 * are digits.
 */
function listEnds(rest: string): string[] {
  const six = rest.slice(0, 6);
  return [0, 1, 2, 3, 4, 5].flatMap((i) => [
    swap(six, i),
    rest.slice(0, i) + rest.slice(i + 1),
    ...referenceDigits.flatMap((digit) => [
      six.slice(0, i) + digit + six.slice(i + 1),
      rest.slice(0, i) + digit + rest.slice(i, 5),
    ]),
  ]);
}

/** Swaps the last letter of a word back with the first digit. */
function correctSwaps(text: string): string[] {
  return [...text.matchAll(/(?=[A-Z]{3}[2-9][A-Z][2-9]{4}[A-Z])/g)]
    .map(({ index }) => swap(text.slice(index, index + paymentReferenceLength), 3))
    .filter(isPaymentReference);
}

function swap(text: string, index: number): string {
  return index + 1 < text.length
    ? text.slice(0, index) + text.charAt(index + 1) + text.charAt(index) + text.slice(index + 2)
    : text;
}
