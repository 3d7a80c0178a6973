import type { PhoneVerificationStatus } from '../../../../prisma/client/client.ts';
import { minuteMs } from '../../../kit/duration.ts';

/**
 * `sent`: the SMS code was sent. `verified`: the SMS code was entered and a `verificationCode` issued.
 * `used`: a charge consumed the `verificationCode`.
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

/** The validity of both the SMS code and the `verificationCode`, each from its creation. */
export const validityMs = 5 * minuteMs;
export const codeDigits = 6;
/** The maximum number of attempts to enter one SMS code. */
export const attemptsMax = 5;
