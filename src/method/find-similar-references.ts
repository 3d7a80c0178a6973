import { paymentReferenceWords } from './payment-reference-words.ts';

const digits = ['2', '3', '4', '5', '6', '7', '8', '9'];
/** The maximum length of a searched text, which limits the work. Banks truncate longer texts. */
const searchLengthMax = 200;

/** Indexes each word under its own letters, and with one letter removed or replaced by `-`. */
const wordsByPattern = indexByDeletion(paymentReferenceWords);

/**
 * Returns the payment references that a payer may have mistyped: each is one edit away from a substring of
 * the folded text. An edit changes, removes or inserts a character, or swaps two neighbours. The result is a
 * suggestion and never enough for a match.
 */
export function findSimilarReferences(folded: string): string[] {
  const text = folded.slice(0, searchLengthMax);
  const references = new Set<string>();
  for (let index = 0; index < text.length; index++) {
    for (const length of [8, 9, 10]) {
      const candidate = text.slice(index, index + length);
      if (candidate.length === length)
        for (const reference of generateCorrections(candidate)) references.add(reference);
    }
  }
  return [...references];
}

/** Yields the references with one edit in the letters or the digits, or with last letter and first digit swapped. */
function* generateCorrections(candidate: string): Generator<string> {
  const digitsPart = candidate.slice(-4);
  const word = candidate.slice(0, -4);
  if (isDigits(digitsPart)) for (const similar of findSimilarWords(word)) yield similar + digitsPart;
  const wordPart = candidate.slice(0, 5);
  if (isWord(wordPart)) for (const similar of findSimilarDigits(candidate.slice(5))) yield wordPart + similar;
  if (candidate.length === 9) {
    const swapped = swap(candidate, 4);
    if (isWord(swapped.slice(0, 5)) && isDigits(swapped.slice(5))) yield swapped;
  }
}

/** Returns the words at one edit from a text of four to six characters. */
function findSimilarWords(text: string): string[] {
  const similar = new Set<string>();
  if (text.length === 4) for (const word of wordsByPattern.get(text) ?? []) similar.add(word);
  for (let index = 0; index < text.length; index++) {
    if (text.length === 5) {
      for (const word of wordsByPattern.get(`${text.slice(0, index)}-${text.slice(index + 1)}`) ?? [])
        similar.add(word);
      if (isWord(swap(text, index))) similar.add(swap(text, index));
    }
    const shortened = text.slice(0, index) + text.slice(index + 1);
    if (text.length === 6 && isWord(shortened)) similar.add(shortened);
  }
  similar.delete(text);
  return [...similar];
}

/** Returns the groups of four digits at one edit from a text of three to five characters. */
function findSimilarDigits(text: string): string[] {
  const similar = new Set<string>();
  for (let index = 0; index <= text.length; index++) {
    const [before, after, afterNext] = [text.slice(0, index), text.slice(index), text.slice(index + 1)];
    if (text.length === 3) for (const digit of digits) similar.add(before + digit + after);
    if (text.length === 4 && index < 4) for (const digit of digits) similar.add(before + digit + afterNext);
    if (text.length === 4) similar.add(swap(text, index));
    if (text.length === 5) similar.add(before + afterNext);
  }
  similar.delete(text);
  return [...similar].filter(isDigits);
}

function swap(text: string, index: number): string {
  return index + 1 < text.length
    ? text.slice(0, index) + text.charAt(index + 1) + text.charAt(index) + text.slice(index + 2)
    : text;
}

function isDigits(text: string): boolean {
  return /^[2-9]{4}$/.test(text);
}

function isWord(text: string): boolean {
  return text.length === 5 && (wordsByPattern.get(text)?.includes(text) ?? false);
}

function indexByDeletion(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const add = (pattern: string, word: string) => index.set(pattern, [...(index.get(pattern) ?? []), word]);
  for (const word of words) {
    add(word, word);
    for (let index = 0; index < word.length; index++) {
      add(`${word.slice(0, index)}-${word.slice(index + 1)}`, word);
      add(word.slice(0, index) + word.slice(index + 1), word);
    }
  }
  return index;
}
