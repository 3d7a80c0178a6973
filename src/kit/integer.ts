import { invalidInputError } from './errors.ts';

export function checkInteger(
  value: number,
  path: string,
  { min, max }: { min: number; max: number },
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw invalidInputError(path, `must be an integer from ${min} to ${max}`);
}
