import { isMailDelivered } from '../../components/mail-notice.tsx';
import { t } from '../../language/texts.ts';

/** Whether the customer is notified of a change to a subscription or an invoice. */
export const customerEmailHint = isMailDelivered
  ? t.subscription.ifThePlanSends
  : t.subscription.theCustomerIsNotNotified;
