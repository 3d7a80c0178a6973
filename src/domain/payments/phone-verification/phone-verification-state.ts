import type { PhoneVerificationStatus } from '../../../../prisma/client/client.ts';
import { minuteMs } from '../../../kit/duration.ts';

/**
 * Allowed status changes of a phone verification:
 * - `sent`: the SMS code was sent.
 * - `verified`: the SMS code was entered, and a `verificationCode` was issued.
 * - `used`: a charge consumed the `verificationCode`.
 * - `voided`: a newer SMS code replaced this one.
 */
export const phoneVerificationTransitions: Record<
  PhoneVerificationStatus,
  readonly PhoneVerificationStatus[]
> = {
  sent: ['verified', 'voided'],
  verified: ['used'],
  used: [],
  voided: [],
};

/** How long the SMS code and the `verificationCode` are valid, each from its creation. */
export const codeValidityMs = 5 * minuteMs;
export const codeDigits = 6;
/** The maximum number of attempts to enter one SMS code. */
export const codeAttemptsMax = 5;
