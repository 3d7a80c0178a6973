import { invalidInput } from './errors.ts';

/** Why PostgreSQL cannot store a text, or JSON not carry it; undefined where they can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate';
}

/** Text without a fault, and not longer than `max`. Error: `invalid_request`. */
export function checkText(text: string, path: string, max: number): string {
  const fault = textFault(text);
  if (fault !== undefined) throw invalidInput(path, fault);
  if (text.length > max) throw invalidInput(path, `must be at most ${max} characters long`);
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
