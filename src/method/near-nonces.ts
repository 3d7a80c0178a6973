import { nonceWords } from './nonce-words.ts';

const digits = ['2', '3', '4', '5', '6', '7', '8', '9'];
/** So much of a reference is looked at: banks keep no more, and the work stays small. */
const searchedMax = 200;

/** Each word under its forms with one letter left out (`-` in its place, or nothing), to find it by those. */
const wordsByForm = formsOf(nonceWords);

/**
 * The nonces that a payer may have meant who mistyped one: each is one edit (a character changed, left out, added, or
 * two neighbours swapped) away from some stretch of a folded reference. Only a suggestion: never enough to match.
 */
export function nearNonces(folded: string): string[] {
  const text = folded.slice(0, searchedMax);
  const found = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    for (const length of [8, 9, 10]) {
      const stretch = text.slice(at, at + length);
      if (stretch.length === length) for (const nonce of nearTo(stretch)) found.add(nonce);
    }
  }
  return [...found];
}

/** The edit stands in the word, in the digits, or swaps the last letter with the first digit. */
function* nearTo(stretch: string): Generator<string> {
  const end = stretch.slice(-4);
  const word = stretch.slice(0, -4);
  if (isDigits(end)) for (const near of nearWords(word)) yield near + end;
  const start = stretch.slice(0, 5);
  if (isWord(start)) for (const near of nearDigits(stretch.slice(5))) yield start + near;
  if (stretch.length === 9) {
    const swapped = swap(stretch, 4);
    if (isWord(swapped.slice(0, 5)) && isDigits(swapped.slice(5))) yield swapped;
  }
}

/** Of four, five or six characters. */
function nearWords(text: string): string[] {
  const near = new Set<string>();
  if (text.length === 4) for (const word of wordsByForm.get(text) ?? []) near.add(word);
  for (let at = 0; at < text.length; at++) {
    if (text.length === 5) {
      for (const word of wordsByForm.get(`${text.slice(0, at)}-${text.slice(at + 1)}`) ?? []) near.add(word);
      if (isWord(swap(text, at))) near.add(swap(text, at));
    }
    const without = text.slice(0, at) + text.slice(at + 1);
    if (text.length === 6 && isWord(without)) near.add(without);
  }
  near.delete(text);
  return [...near];
}

/** Of three, four or five characters. */
function nearDigits(text: string): string[] {
  const near = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const [before, after, rest] = [text.slice(0, at), text.slice(at), text.slice(at + 1)];
    if (text.length === 3) for (const digit of digits) near.add(before + digit + after);
    if (text.length === 4 && at < 4) for (const digit of digits) near.add(before + digit + rest);
    if (text.length === 4) near.add(swap(text, at));
    if (text.length === 5) near.add(before + rest);
  }
  near.delete(text);
  return [...near].filter(isDigits);
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
  return text.length === 5 && (wordsByForm.get(text)?.includes(text) ?? false);
}

function formsOf(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>();
  const add = (form: string, word: string) => forms.set(form, [...(forms.get(form) ?? []), word]);
  for (const word of words) {
    add(word, word);
    for (let at = 0; at < word.length; at++) {
      add(`${word.slice(0, at)}-${word.slice(at + 1)}`, word);
      add(word.slice(0, at) + word.slice(at + 1), word);
    }
  }
  return forms;
}
