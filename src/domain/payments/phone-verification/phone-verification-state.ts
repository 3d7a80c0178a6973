import type { PhoneVerificationStatus } from '../../../../prisma/client/client.ts';
import { minuteMs } from '../../../kit/duration.ts';

/** sent: the code is out; verified: it was entered, and the verificationCode is out; used: for a charge. */
export const phoneVerificationTransitions: Record<
  PhoneVerificationStatus,
  readonly PhoneVerificationStatus[]
> = {
  sent: ['verified', 'voided'],
  verified: ['used'],
  used: [],
  voided: [],
};

/** The code that is sent, and then the verificationCode, each from when it was made. */
export const validityMs = 5 * minuteMs;
export const codeDigits = 6;
/** Codes that may be entered for one that was sent. */
export const attemptsMax = 5;
