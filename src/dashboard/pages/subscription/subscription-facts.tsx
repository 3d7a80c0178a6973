import { languageText } from '../../format/words.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useMethodName } from '../payment-methods.ts';
import { recurringText } from '../subscription-plan/plan-row.ts';
import type { SubscriptionDetails } from './subscription-query.ts';
import { progressText } from './subscription-row.ts';

export function SubscriptionFacts({ subscription }: { subscription: SubscriptionDetails }) {
  const methodName = useMethodName();
  const { plan, nextPayment, activeUntil, endedAt } = subscription;
  return (
    <Facts
      facts={[
        [
          'Plan',
          <Link key="plan" to={`/plans/${plan.id}`}>
            {plan.name}
          </Link>,
        ],
        ['Pays', recurringText(plan)],
        ['By', methodName(subscription.method)],
        ['Payments made', progressText(subscription)],
        ['Next payment', nextPayment && <Moment at={nextPayment} form="long" />],
        ['Paid until', activeUntil && <Moment at={activeUntil} form="long" />],
        ['E-mail', subscription.email],
        ['Phone', subscription.phone],
        ['Language', languageText(subscription.language)],
        ['Reminders', subscription.remindersOff && 'The customer wants none; invoices still come'],
        [
          'Customer’s page',
          <CopyText
            key="page"
            text="Copy its address"
            value={subscription.manageUrl}
            what="the customer’s page"
          />,
        ],
        [
          'Your text',
          subscription.notifyPayload && <CopyText text={subscription.notifyPayload} what="your text" />,
        ],
        ['Enrolled', <Moment key="made" at={subscription.createdAt} form="long" />],
        ['Ended', endedAt && <Moment at={endedAt} form="long" />],
      ]}
    />
  );
}
