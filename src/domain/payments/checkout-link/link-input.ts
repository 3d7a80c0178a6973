import { dayMs } from '../../../kit/duration.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkTrimmed } from '../../../kit/text.ts';

const nameLengthMax = 100;
const lifetimeMaxMs = 10 * 366 * dayMs;

/** Returns the name of a link, or an empty string for none. */
export function parseLinkName(name: string | null | undefined): string {
  return checkTrimmed(name, '/name', nameLengthMax);
}

/** Returns the time from which a link accepts no charges, or null if the link does not expire. */
export function parseLinkExpiry(expiresAt: Date | null | undefined, now: Date): Date | null {
  if (expiresAt == null) return null;
  const remainingMs = expiresAt.getTime() - now.getTime();
  if (remainingMs <= 0 || remainingMs > lifetimeMaxMs)
    throw invalidInputError('/expiresAt', 'must be in the future and within ten years');
  return expiresAt;
}
