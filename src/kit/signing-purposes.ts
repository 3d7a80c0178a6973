import type { Mode } from '../../prisma/client/client.ts';

/** Each purpose has its own signing key; purposes scoped to a mode have one for each mode. */
export const signingPurposes = {
  'cancel-confirmation': 'mode',
  'cancel-token': 'mode',
  'charge-creator': 'mode',
  'checkout-network': 'mode',
  'client-token': 'mode',
  'enrol-page': 'mode',
  'invoice-page': 'mode',
  'poster-page': 'mode',
  'phone-code': 'mode',
  'refund-page': 'mode',
  'subscription-page': 'mode',
  /** Not scoped to a mode, because users sign in to both modes at once. */
  'trusted-browser': 'installation',
  /** Not scoped to a mode, because the sandbox never sends an SMS. */
  'sms-gateway': 'installation',
} as const;

export type SigningPurpose = keyof typeof signingPurposes;

/** The scope of a purpose's signing key. */
export type SigningScope<P extends SigningPurpose> = (typeof signingPurposes)[P] extends 'mode'
  ? Mode
  : 'installation';
