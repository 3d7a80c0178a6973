import { Button } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { payerText } from '../../format/payer.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { type InvoiceDetails, invoiceQuery } from './invoices-query.ts';

/** One invoice: what it asks, how it stands, the customer's page, the document. */
export default function InvoicePage({ id }: { id: string }) {
  const read = useRead(invoiceQuery, { id });
  useLive(subscriptionsUpdated, {}, read.refresh);
  return (
    <Loaded read={read} lines={8}>
      {({ invoice }) => (invoice ? <Details invoice={invoice} /> : <NoSuch noun="invoice" />)}
    </Loaded>
  );
}

function Details({ invoice }: { invoice: InvoiceDetails }) {
  const { subscription, chargeId, paidAt } = invoice;
  return (
    <>
      <BackLink to="/invoices">Invoices</BackLink>
      <PageHeader
        title={`Invoice ${invoice.number}`}
        badge={<StatusBadge status={`invoice_${invoice.status}`} />}
        text={<CopyText text={invoice.id} what="invoice id" />}
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
      </PageHeader>
      <Section title="Details">
        <Facts
          facts={[
            ['Amount', <Amount key="amount" value={invoice.amount} currency={invoice.currency} />],
            ['Due', <Moment key="due" at={invoice.invoiceDueOn} form="long" />],
            [
              'Customer',
              <Link key="customer" to={`/subscriptions/${subscription.id}`}>
                {payerText(subscription)}
              </Link>,
            ],
            [
              'Plan',
              <Link key="plan" to={`/plans/${subscription.plan.id}`}>
                {subscription.plan.name}
              </Link>,
            ],
            [
              'Charge',
              chargeId === null ? (
                'None yet: the customer has not chosen a payment method'
              ) : (
                <Link key="charge" to={`/charges/${chargeId}`}>
                  {chargeId}
                </Link>
              ),
            ],
            [
              'Payment page',
              <CopyText
                key="page"
                text="Copy link"
                value={invoice.checkoutLink}
                what="link to the payment page"
              />,
            ],
            ['Created', <Moment key="created" at={invoice.createdAt} form="long" />],
            ['Paid', paidAt && <Moment at={paidAt} form="long" />],
          ]}
        />
      </Section>
    </>
  );
}
