import { Button } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { InvoiceActions } from './invoice-actions.tsx';
import { type InvoiceDetails, invoiceQuery } from './invoices-query.ts';

export default function InvoicePage({ id }: { id: string }) {
  const query = useCachedQuery(invoiceQuery, { id });
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={8}>
      {({ invoice }) =>
        invoice ? (
          <Details invoice={invoice} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="invoice" />
        )
      }
    </Loaded>
  );
}

function Details({ invoice, onChanged }: { invoice: InvoiceDetails; onChanged: () => void }) {
  const { subscription, charge, paidAt, tax, resentAt } = invoice;
  return (
    <>
      <BackLink to="/invoices">Invoices</BackLink>
      <PageHeader
        title={`Invoice ${invoice.number}`}
        badge={<StatusBadge status={`invoice_${invoice.status}`} />}
        text={<CopyText text={invoice.id} label="invoice id" />}
      >
        <Button
          variant="default"
          component="a"
          href={invoice.pdfUrl}
          target="_blank"
          rel="noopener noreferrer"
        >
          PDF
        </Button>
        <InvoiceActions invoice={invoice} onChanged={onChanged} />
      </PageHeader>
      <Section title="Details">
        <Facts
          facts={[
            ['Amount', <Amount key="amount" value={invoice.amount} currency={invoice.currency} />],
            [
              'Tax',
              tax && (
                <span key="tax">
                  <Amount value={invoice.taxAmount} currency={invoice.currency} /> {tax.name} {tax.rate}%
                  {tax.isInclusive && ', included'}
                </span>
              ),
            ],
            [
              'Period',
              <span key="period">
                <Moment at={invoice.periodStart} format="day" /> –{' '}
                <Moment at={invoice.periodEnd} format="day" />
              </span>,
            ],
            ['Due', <Moment key="due" at={invoice.dueAt} format="long" />],
            [
              'Customer',
              <Link key="customer" to={`/subscriptions/${subscription.id}`}>
                {formatPayer(subscription)}
              </Link>,
            ],
            [
              'Plan',
              <Link key="plan" to={`/plans/${subscription.subscriptionPlan.id}`}>
                {subscription.subscriptionPlan.name}
              </Link>,
            ],
            [
              'Charge',
              charge === null ? (
                getMissingChargeText(invoice)
              ) : (
                <Link key="charge" to={`/charges/${charge.id}`}>
                  {charge.id}
                </Link>
              ),
            ],
            [
              'Payment page',
              <CopyText
                key="page"
                text="Copy link"
                value={invoice.checkoutUrl}
                label="link to the payment page"
              />,
            ],
            ['Created', <Moment key="created" at={invoice.createdAt} format="long" />],
            ['Sent again', resentAt && <Moment at={resentAt} format="long" />],
            ['Paid', paidAt && <Moment at={paidAt} format="long" />],
          ]}
        />
      </Section>
    </>
  );
}

function getMissingChargeText({ status, isPaidExternally }: InvoiceDetails): string {
  if (isPaidExternally) return 'None: you marked the invoice as paid';
  return status === 'void' ? 'None' : 'None yet: the customer has not chosen a payment method';
}
