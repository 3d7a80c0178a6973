import type { Subscription } from '../../../../prisma/client/client.ts';
import { toLanguage } from '../../../language/languages.ts';

/** Returns the members that all emails to the customer of a subscription share. */
export function toMailEnvelope(subscription: Subscription & { email: string }) {
  const { merchantId, mode, email, language, numPaymentsComplete } = subscription;
  return {
    ...{ merchantId, mode, to: email, language: toLanguage(language) },
    audience: 'customer',
    // Until a payment arrives, the address may belong to another person.
    trigger: numPaymentsComplete > 0 ? 'system' : 'unpaid_enrolment',
    channel: 'email',
  } as const;
}
