import { invalidInputError } from './errors.ts';

/** Throws `invalid_request` naming `path` unless the value is an integer in the range. */
export function checkInteger(
  value: number,
  path: string,
  { min, max }: { min: number; max: number },
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw invalidInputError(path, `must be an integer from ${min} to ${max}`);
}
