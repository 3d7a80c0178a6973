import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { OrderList } from '../../parts/order-list.tsx';
import { useMethodName } from '../payment-methods.ts';
import { daysText, initialText, type PlanRow, paymentsText, recurringText } from './plan-row.ts';

export function PlanFacts({ plan }: { plan: PlanRow }) {
  const methodName = useMethodName();
  const { orders, methods, namedMethods, currency } = plan;
  const named = namedMethods.map((method) =>
    methods.includes(method) ? methodName(method) : `${methodName(method)} (cannot be received on now)`,
  );
  return (
    <Facts
      facts={[
        ['Paid', recurringText(plan)],
        ['First payment', initialText(plan)],
        ['Runs for', paymentsText(plan.numPayments)],
        ['Invoice made', `${daysText(plan.invoiceNotice)} before it is due`],
        ['Paused', `${daysText(plan.gracePeriod)} after the due date, when unpaid`],
        ['Mails', plan.sendEmail ? 'Invoices and reminders are mailed to customers' : 'None are sent'],
        ['Methods', named.length === 0 ? 'All of yours' : named.join(', ')],
        ['For', orders.length > 0 && <OrderList orders={orders} currency={currency} />],
        ['Made', <Moment key="made" at={plan.createdAt} form="long" />],
      ]}
    />
  );
}
