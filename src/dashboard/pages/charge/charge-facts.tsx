import { Amount } from '../../components/amount.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { formatRate, isNegative, isZero } from '../../format/amount.ts';
import { rateForm } from '../../format/moment.ts';
import { fullName } from '../../format/payer.ts';
import { useMethodName } from '../payment-methods.ts';
import type { ChargeDetails } from './charge-query.ts';
import { nothingText } from './received-text.ts';

export function ChargeFacts({ charge }: { charge: ChargeDetails }) {
  const methodName = useMethodName();
  const { customerCurrency, merchantCurrency, rate, orders } = charge;
  return (
    <Facts
      facts={[
        ['Price', <Amount key="price" value={charge.merchantAmount} currency={merchantCurrency} />],
        ['Amount', <Amount key="amount" value={charge.customerAmount} currency={customerCurrency} />],
        [
          'Matching adjustment',
          charge.amountAdded !== null && !isZero(charge.amountAdded) && (
            <Amount value={charge.amountAdded} currency={customerCurrency} />
          ),
        ],
        [
          'Exchange rate',
          merchantCurrency !== customerCurrency && (
            <>
              1 {merchantCurrency} = {formatRate(rate.rate)} {customerCurrency} ({rateSourceText(rate.source)}
              , <Moment at={rate.at} form={rateForm(rate.at)} />)
            </>
          ),
        ],
        ['Received', <Received key="received" charge={charge} />],
        ['Method', methodName(charge.method)],
        ['Customer', fullName(charge)],
        ['Email', charge.email],
        ['Phone', charge.phone],
        ['Items', orders.length > 0 && <OrderList orders={orders} currency={merchantCurrency} />],
        ['Created', <Moment key="created" at={charge.createdAt} form="long" />],
        [expiryName(charge.status), <Moment key="until" at={charge.expiresAt} form="long" />],
        ['Completed', charge.completedAt && <Moment at={charge.completedAt} form="long" />],
        [
          'Checkout link',
          charge.checkoutLink && <CopyText text={charge.checkoutLink.id} what="checkout link id" />,
        ],
        [
          'Subscription',
          charge.subscription && (
            <Link to={`/subscriptions/${charge.subscription.id}`}>{charge.subscription.plan.name}</Link>
          ),
        ],
        [
          'Invoice',
          charge.invoice && (
            <Link to={`/invoices/${charge.invoice.id}`}>{`Invoice ${charge.invoice.number}`}</Link>
          ),
        ],
        ['Session', charge.session && <Link to={`/sessions/${charge.session.id}`}>{charge.session.id}</Link>],
        [
          'Your reference',
          charge.notifyPayload && <CopyText text={charge.notifyPayload} what="your reference" />,
        ],
        ['Callback URL', charge.notifyUrl],
        ['Return URL', charge.redirectUrl],
      ]}
    />
  );
}

function expiryName(status: ChargeDetails['status']): string {
  if (status === 'pending') return 'Expires';
  return status === 'expired' ? 'Expired on' : 'Expiry date';
}

/** What arrived, and how far from what was asked. */
function Received({ charge }: { charge: ChargeDetails }) {
  const { amountReceived, amountDifference, customerCurrency } = charge;
  if (isZero(amountReceived)) return nothingText(charge);
  return (
    <>
      <Amount value={amountReceived} currency={customerCurrency} />
      {charge.paymentState === 'partial' && isNegative(amountDifference) && (
        <>
          {' '}
          (<Amount value={amountDifference.replace('-', '')} currency={customerCurrency} /> missing)
        </>
      )}
      {charge.paymentState === 'over' && (
        <>
          {' '}
          (<Amount value={amountDifference} currency={customerCurrency} /> overpaid)
        </>
      )}
      {charge.paidLate && ' · paid late'}
    </>
  );
}

/** Its date stands beside it. */
function rateSourceText(source: string): string {
  return source.replace(/\s*\d{4}-\d{2}-\d{2}$/, '');
}
