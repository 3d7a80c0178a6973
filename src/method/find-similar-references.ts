import { paymentReferenceWords } from './payment-reference-words.ts';

const digits = ['2', '3', '4', '5', '6', '7', '8', '9'];
/** Banks truncate longer references, and the limit bounds the work. */
const searchLengthMax = 200;

/** Words by each pattern that omits one letter (replaced by `-`, or removed). */
const wordsByPattern = indexByDeletion(paymentReferenceWords);

/**
 * Returns the payment references that a payer may have mistyped: each is one edit away from a substring of
 * the folded text. An edit changes, removes or inserts a character, or swaps two neighbours. The result is a
 * suggestion and never enough for a match.
 */
export function findSimilarReferences(folded: string): string[] {
  const text = folded.slice(0, searchLengthMax);
  const references = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    for (const length of [8, 9, 10]) {
      const candidate = text.slice(at, at + length);
      if (candidate.length === length)
        for (const reference of generateCorrections(candidate)) references.add(reference);
    }
  }
  return [...references];
}

/** The edit is in the letters, in the digits, or swaps the last letter with the first digit. */
function* generateCorrections(candidate: string): Generator<string> {
  const end = candidate.slice(-4);
  const word = candidate.slice(0, -4);
  if (isDigits(end)) for (const similar of findSimilarWords(word)) yield similar + end;
  const start = candidate.slice(0, 5);
  if (isWord(start)) for (const similar of findSimilarDigits(candidate.slice(5))) yield start + similar;
  if (candidate.length === 9) {
    const swapped = swap(candidate, 4);
    if (isWord(swapped.slice(0, 5)) && isDigits(swapped.slice(5))) yield swapped;
  }
}

/** Takes a text of four, five or six characters. */
function findSimilarWords(text: string): string[] {
  const similar = new Set<string>();
  if (text.length === 4) for (const word of wordsByPattern.get(text) ?? []) similar.add(word);
  for (let at = 0; at < text.length; at++) {
    if (text.length === 5) {
      for (const word of wordsByPattern.get(`${text.slice(0, at)}-${text.slice(at + 1)}`) ?? [])
        similar.add(word);
      if (isWord(swap(text, at))) similar.add(swap(text, at));
    }
    const without = text.slice(0, at) + text.slice(at + 1);
    if (text.length === 6 && isWord(without)) similar.add(without);
  }
  similar.delete(text);
  return [...similar];
}

/** Takes a text of three, four or five characters. */
function findSimilarDigits(text: string): string[] {
  const similar = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const [before, after, rest] = [text.slice(0, at), text.slice(at), text.slice(at + 1)];
    if (text.length === 3) for (const digit of digits) similar.add(before + digit + after);
    if (text.length === 4 && at < 4) for (const digit of digits) similar.add(before + digit + rest);
    if (text.length === 4) similar.add(swap(text, at));
    if (text.length === 5) similar.add(before + rest);
  }
  similar.delete(text);
  return [...similar].filter(isDigits);
}

function swap(text: string, at: number): string {
  return at + 1 < text.length
    ? text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
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
    for (let at = 0; at < word.length; at++) {
      add(`${word.slice(0, at)}-${word.slice(at + 1)}`, word);
      add(word.slice(0, at) + word.slice(at + 1), word);
    }
  }
  return index;
}
