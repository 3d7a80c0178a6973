import { invalidInput } from './errors.ts';

/** Why PostgreSQL cannot store a text, or JSON not carry it; undefined where they can. */
export function findTextError(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate';
}

/** Text without a fault, and not longer than `max`. Error: `invalid_request`. */
export function checkText(text: string, path: string, max: number): string {
  const error = findTextError(text);
  if (error !== undefined) throw invalidInput(path, error);
  if (text.length > max) throw invalidInput(path, `must be at most ${max} characters long`);
  return text;
}

/** The same without what surrounds it, which must leave something; `otherwise` says what it is for. */
export function checkNonEmpty(
  text: string,
  path: string,
  { max, emptyMessage }: { max: number; emptyMessage: string },
): string {
  const trimmed = checkText(text, path, max).trim();
  if (trimmed === '') throw invalidInput(path, emptyMessage);
  return trimmed;
}
