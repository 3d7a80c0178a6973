import { invalidInputError } from './errors.ts';

/** Returns why PostgreSQL cannot store the text or JSON cannot encode it; undefined if both can. */
export function findTextError(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate';
}

/** Returns the text as PostgreSQL can store it and JSON can encode it: U+0000 and lone surrogates become U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}

/** For texts in which control characters are not allowed. */
export const oneLineMessage = 'must be a single line of text without control characters';

/** Returns the text. Throws `invalid_request` naming `path` if the text cannot be stored or is longer than `max`. */
export function checkText(text: string, path: string, max: number): string {
  const error = findTextError(text);
  if (error !== undefined) throw invalidInputError(path, error);
  if (text.length > max) throw invalidInputError(path, `must be at most ${max} characters long`);
  return text;
}

/** Like `checkText`, but returns the trimmed text, which is `''` if there is none. */
export function checkTrimmed(text: string | null | undefined, path: string, max: number): string {
  return checkText(text ?? '', path, max).trim();
}

/** Like `checkTrimmed`, but rejects an empty text. */
export function checkNonEmpty(
  text: string,
  path: string,
  { max, emptyMessage = 'must not be empty' }: { max: number; emptyMessage?: string },
): string {
  const trimmed = checkTrimmed(text, path, max);
  if (trimmed === '') throw invalidInputError(path, emptyMessage);
  return trimmed;
}
