import { Amount } from '../../components/amount.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { formatRate, isNegative, isZero } from '../../format/amount.ts';
import { getRateFormat } from '../../format/moment.ts';
import { formatOwnReference } from '../../format/own-reference.ts';
import { formatPayer } from '../../format/payer.ts';
import { useMethodName } from '../payment-methods.ts';
import type { ChargeDetails } from './charge-query.ts';
import { formatNothingReceived } from './format-nothing-received.ts';

export function ChargeFacts({ charge }: { charge: ChargeDetails }) {
  const methodName = useMethodName();
  const { customerCurrency, merchantCurrency, exchangeRate, orders } = charge;
  return (
    <Facts
      facts={[
        ['Price', <Amount key="price" value={charge.merchantAmount} currency={merchantCurrency} />],
        ['Amount', <Amount key="amount" value={charge.customerAmount} currency={customerCurrency} />],
        [
          'Added for a unique amount',
          charge.amountOffset !== null && !isZero(charge.amountOffset) && (
            <Amount value={charge.amountOffset} currency={customerCurrency} />
          ),
        ],
        [
          'Exchange rate',
          merchantCurrency !== customerCurrency && (
            <>
              1 {merchantCurrency} = {formatRate(exchangeRate.rate)} {customerCurrency} (
              {formatRateSource(exchangeRate.source)},{' '}
              <Moment at={exchangeRate.effectiveAt} format={getRateFormat(exchangeRate.effectiveAt)} />)
            </>
          ),
        ],
        ['Received', <Received key="received" charge={charge} />],
        ['Method', methodName(charge.method)],
        [
          'Customer',
          charge.customer && <Link to={`/customers/${charge.customer.id}`}>{formatPayer(charge)}</Link>,
        ],
        ['Email', charge.email],
        ['Phone', charge.phone],
        [
          'Items',
          orders.length > 0 && (
            <OrderList orders={orders} currency={merchantCurrency} hasMismatch={charge.hasOrderMismatch} />
          ),
        ],
        ['Created', <Moment key="created" at={charge.createdAt} format="long" />],
        [expiryLabel(charge.status), <Moment key="until" at={charge.expiresAt} format="long" />],
        ['Completed', charge.completedAt && <Moment at={charge.completedAt} format="long" />],
        [
          'Checkout link',
          charge.checkoutLink && <CopyText text={charge.checkoutLink.id} label="checkout link id" />,
        ],
        [
          'Subscription',
          charge.subscription && (
            <Link to={`/subscriptions/${charge.subscription.id}`}>
              {charge.subscription.subscriptionPlan.name}
            </Link>
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
          charge.notifyPayload && (
            <CopyText text={formatOwnReference(charge.notifyPayload)} label="your reference" />
          ),
        ],
        ['Callback URL', charge.notifyUrl],
        ['Return URL', charge.redirectUrl],
      ]}
    />
  );
}

function expiryLabel(status: ChargeDetails['status']): string {
  if (status === 'pending') return 'Expires';
  return status === 'expired' ? 'Expired on' : 'Expiry date';
}

/** Shows the amount received and its difference from the amount due. */
function Received({ charge }: { charge: ChargeDetails }) {
  const { amountReceived, amountDifference, customerCurrency } = charge;
  if (isZero(amountReceived)) return formatNothingReceived(charge);
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
      {!isZero(charge.feeAmount) && (
        <>
          {' '}
          and a bank fee of <Amount value={charge.feeAmount} currency={customerCurrency} />
        </>
      )}
      {charge.hasLatePayment && ' · paid late'}
    </>
  );
}

/** Removes the date from the source, because the date is shown separately. */
function formatRateSource(source: string): string {
  return source.replace(/\s*\d{4}-\d{2}-\d{2}$/, '');
}
