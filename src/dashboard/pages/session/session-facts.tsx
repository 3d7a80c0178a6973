import { fullName } from '../../format/payer.ts';
import { Amount } from '../../parts/amount.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { OrderList } from '../../parts/order-list.tsx';
import { useMethodName } from '../payment-methods.ts';
import { isOpen } from './session-row.ts';
import type { SessionDetails } from './sessions-query.ts';

export function SessionFacts({ session }: { session: SessionDetails }) {
  const methodName = useMethodName();
  const { amount, currency, orders, customer, methods, charge, checkoutUrl } = session;
  return (
    <Facts
      facts={[
        ['You ask', <Amount key="asked" value={amount} currency={currency} />],
        ['For', orders.length > 0 && <OrderList orders={orders} currency={currency} />],
        ['Customer', customer && fullName(customer)],
        ['E-mail', customer?.email],
        ['Phone', customer?.phone],
        [
          'Methods',
          methods.length === 0 ? 'None can be received on now' : methods.map(methodName).join(', '),
        ],
        ['Charge', charge && <Link to={`/charges/${charge.id}`}>{charge.id}</Link>],
        ['Address', isOpen(session) && <CopyText text={checkoutUrl} what="the checkout address" />],
        ['Made', <Moment key="made" at={session.createdAt} form="long" />],
        ['Ends', isOpen(session) && <Moment key="ends" at={session.expiresAt} form="long" />],
        ['Your text', session.notifyPayload && <CopyText text={session.notifyPayload} what="your text" />],
        ['Callback to', session.notifyUrl],
        ['Leads back to', session.redirectUrl],
      ]}
    />
  );
}
