import { invalidInput } from './errors.ts';

/** Text that PostgreSQL can store and JSON can carry: no U+0000, no lone surrogate, not longer than `max`. */
export function checkText(text: string, path: string, max: number): string {
  if (text.includes('\0')) throw invalidInput(path, 'must not contain U+0000');
  if (!text.isWellFormed()) throw invalidInput(path, 'must not contain a lone surrogate');
  if (text.length > max) throw invalidInput(path, `must have at most ${max} characters`);
  return text;
}

/** The same without what surrounds it, which must leave something; `otherwise` says what it is for. */
export function checkFilled(
  text: string,
  path: string,
  { max, otherwise }: { max: number; otherwise: string },
): string {
  const filled = checkText(text, path, max).trim();
  if (filled === '') throw invalidInput(path, otherwise);
  return filled;
}
