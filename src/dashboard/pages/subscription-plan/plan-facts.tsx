import { Amount } from '../../parts/amount.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useMethodName } from '../payment-methods.ts';
import { daysText, initialText, type PlanRow, paymentsText, recurringText } from './plan-row.ts';

export function PlanFacts({ plan }: { plan: PlanRow }) {
  const methodName = useMethodName();
  const { orders, methods, currency } = plan;
  return (
    <Facts
      facts={[
        ['Paid', recurringText(plan)],
        ['First payment', initialText(plan)],
        ['Runs for', paymentsText(plan.numPayments)],
        ['Invoice made', `${daysText(plan.invoiceNotice)} before it is due`],
        ['Paused', `${daysText(plan.gracePeriod)} after the due date, when unpaid`],
        ['Mails', plan.sendEmail ? 'Invoices and reminders are mailed to customers' : 'None are sent'],
        ['Methods', methods.length === 0 ? 'All of yours' : methods.map(methodName).join(', ')],
        ['For', orders.length > 0 && <Orders orders={orders} currency={currency} />],
        ['Made', <Moment key="made" at={plan.createdAt} form="long" />],
      ]}
    />
  );
}

function Orders({ orders, currency }: { orders: PlanRow['orders']; currency: string }) {
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.1rem' }}>
      {orders.map((order, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order have no other name and never move.
        <li key={i}>
          {[order.quantity != null && `${order.quantity} ×`, order.name ?? order.id]
            .filter(Boolean)
            .join(' ')}{' '}
          {order.amount != null && <Amount value={order.amount} currency={currency} />}
        </li>
      ))}
    </ul>
  );
}
