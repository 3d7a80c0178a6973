import { Group } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { formatOwnReference } from '../../../language/format-own-reference.ts';
import { Amount } from '../../components/amount.tsx';
import { CopyLinkButton } from '../../components/copy-link-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { OrderList } from '../../components/order-list.tsx';
import { formatRate, isNegative, isZero, sumDecimals } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { getRateFormat } from '../../format/moment.ts';
import { formatPayer } from '../../format/payer.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import type { ChargeDetails } from './charge-query.ts';
import { formatNothingReceived } from './format-nothing-received.ts';
import { SendReceiptButton } from './send-receipt-button.tsx';

export function ChargeFacts({ charge }: { charge: ChargeDetails }) {
  const { customerCurrency, merchantCurrency, exchangeRate, orders } = charge;
  return (
    <Facts
      facts={[
        [t.common.price, <Amount key="price" value={charge.merchantAmount} currency={merchantCurrency} />],
        [t.common.amount, <Amount key="amount" value={charge.customerAmount} currency={customerCurrency} />],
        [
          t.charge.addedForAUnique,
          charge.amountOffset !== null && !isZero(charge.amountOffset) && (
            <Amount value={charge.amountOffset} currency={customerCurrency} />
          ),
        ],
        [
          t.charge.exchangeRate,
          merchantCurrency !== customerCurrency && (
            <>
              1 {merchantCurrency} = {formatRate(exchangeRate.rate)} {customerCurrency} ·{' '}
              {formatRateSource(exchangeRate.source)} ·{' '}
              <Moment at={exchangeRate.effectiveAt} format={getRateFormat(exchangeRate.effectiveAt)} />
            </>
          ),
        ],
        [t.common.receivedAmount, <Received key="received" charge={charge} />],
        [t.common.method, formatMethod(charge.method)],
        [
          t.common.customer,
          charge.customer && <Link to={`/customers/${charge.customer.id}`}>{formatPayer(charge)}</Link>,
        ],
        [t.common.soldAtTheCounterBy, charge.sellerName],
        [t.common.email, charge.email],
        [t.common.phone, charge.phone],
        [
          t.common.items,
          orders.length > 0 && (
            <OrderList orders={orders} currency={merchantCurrency} hasMismatch={charge.hasOrderMismatch} />
          ),
        ],
        [t.common.created, <Moment key="created" at={charge.createdAt} format="long" />],
        [expiryLabel(charge.status), <Moment key="until" at={charge.expiresAt} format="long" />],
        [t.common.completedAt, charge.completedAt && <Moment at={charge.completedAt} format="long" />],
        [
          t.charge.receipt,
          charge.receiptUrl !== null && (
            <Group gap="sm" key="receipt">
              <CopyLinkButton label={t.charge.copyReceiptLink} url={charge.receiptUrl} />
              <SendReceiptButton charge={charge} />
            </Group>
          ),
        ],
        [
          t.charge.checkoutLink,
          charge.checkoutLink && (
            <Link to="/checkout-links">{charge.checkoutLink.name ?? t.checkoutLink.untitledLink}</Link>
          ),
        ],
        [
          t.charge.subscription,
          charge.subscription && (
            <Link to={`/subscriptions/${charge.subscription.id}`}>
              {charge.subscription.subscriptionPlan.name}
            </Link>
          ),
        ],
        [
          t.common.invoice,
          charge.invoice && (
            <Link to={`/invoices/${charge.invoice.id}`}>
              {fillText(t.common.invoiceNumber, { number: charge.invoice.number })}
            </Link>
          ),
        ],
        [
          t.charge.session,
          charge.session && <Link to={`/sessions/${charge.session.id}`}>{charge.session.id}</Link>,
        ],
        [
          t.common.yourReference,
          charge.notifyPayload && (
            <CopyText
              text={formatOwnReference(charge.notifyPayload)}
              label={t.components.copyYourReference}
            />
          ),
        ],
        [
          t.charge.yourData,
          charge.metadata && charge.metadata.length > 0 && <OwnData entries={charge.metadata} />,
        ],
        [t.charge.callbackUrl, charge.notifyUrl],
        [t.common.returnUrl, charge.redirectUrl],
      ]}
    />
  );
}

/** Each value of the merchant's own data links to the charges that have it. */
function OwnData({ entries }: { entries: readonly { key: string; value: string }[] }) {
  return entries.map(({ key, value }) => (
    <div key={key}>
      {key}: <Link to={`/charges?search=${encodeURIComponent(value)}`}>{value}</Link>
    </div>
  ));
}

function expiryLabel(status: ChargeDetails['status']): string {
  if (status === 'pending') return t.common.expires;
  return status === 'expired' ? t.charge.expiredOn : t.charge.expiryDate;
}

function Received({ charge }: { charge: ChargeDetails }) {
  const { amountReceived, amountDifference, customerCurrency } = charge;
  const format = (amount: string) => <Amount value={amount} currency={customerCurrency} />;
  if (isZero(amountReceived)) {
    const released = charge.amountReleased ?? '0';
    if (isZero(released)) return formatNothingReceived(charge);
    return fillNodes(t.charge.releasedAmount, { amount: format(released) });
  }
  return (
    <>
      {format(amountReceived)}
      {charge.paymentState === 'partial' && isUnderpaid(charge) && (
        <>
          {' · '}
          {fillNodes(charge.status === 'pending' ? t.charge.remaining : t.charge.missing, {
            amount: format(amountDifference.replace('-', '')),
          })}
        </>
      )}
      {charge.paymentState === 'over' && (
        <> · {fillNodes(t.charge.overpaid, { amount: format(amountDifference) })}</>
      )}
      {!isZero(charge.feeAmount) && (
        <> · {fillNodes(t.charge.bankFee, { amount: format(charge.feeAmount) })}</>
      )}
      {charge.hasLatePayment && ` · ${t.charge.paidLate}`}
    </>
  );
}

/** A completed charge that received its price is not underpaid, even if its unique amount is more. */
function isUnderpaid({ status, amountDifference, amountOffset }: ChargeDetails): boolean {
  const isPriceEnough = status === 'completed' && amountOffset !== null;
  return isNegative(isPriceEnough ? sumDecimals([amountDifference, amountOffset]) : amountDifference);
}

/** Removes the date from the source, because the date is shown separately. */
function formatRateSource(source: string): string {
  return source.replace(/\s*\d{4}-\d{2}-\d{2}$/, '');
}
