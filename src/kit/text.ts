import { invalidInput } from './errors.ts';

/** Text that PostgreSQL can store and JSON can carry: no U+0000, no lone surrogate, not longer than `max`. */
export function checkText(text: string, path: string, max: number): string {
  if (text.includes('\0')) throw invalidInput(path, 'must not contain U+0000');
  if (!text.isWellFormed()) throw invalidInput(path, 'must not contain a lone surrogate');
  if (text.length > max) throw invalidInput(path, `must have at most ${max} characters`);
  return text;
}
