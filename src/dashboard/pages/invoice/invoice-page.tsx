import { Button } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { CopyLinkButton } from '../../components/copy-link-button.tsx';
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
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { InvoiceActions } from './invoice-actions.tsx';
import { getInvoiceBadge } from './invoice-row.ts';
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
          <ObjectNotFound title={t.invoice.notFound} />
        )
      }
    </Loaded>
  );
}

function Details({ invoice, onChanged }: { invoice: InvoiceDetails; onChanged: () => void }) {
  const { subscription, charge, paidAt, tax, resentAt, voidedAt, replacedBy } = invoice;
  return (
    <>
      <BackLink to="/invoices">{t.common.invoices}</BackLink>
      <PageHeader
        title={fillText(t.common.invoiceNumber, { number: invoice.number })}
        badge={<StatusBadge status={getInvoiceBadge(invoice)} />}
        text={<CopyText text={invoice.id} label={t.components.copyId} />}
      >
        <Button
          variant="default"
          component="a"
          href={invoice.pdfUrl}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t.invoice.pdf}
        </Button>
        <InvoiceActions invoice={invoice} onChanged={onChanged} />
      </PageHeader>
      <Section title={t.common.details}>
        <Facts
          facts={[
            [t.common.amount, <Amount key="amount" value={invoice.amount} currency={invoice.currency} />],
            [
              t.invoice.tax,
              tax && (
                <span key="tax">
                  {fillNodes(tax.isInclusive ? t.invoice.taxIncluded : t.invoice.taxAdded, {
                    amount: <Amount value={invoice.taxAmount} currency={invoice.currency} />,
                    name: tax.name,
                    rate: tax.rate,
                  })}
                </span>
              ),
            ],
            [
              t.common.period,
              <span key="period">
                <Moment at={invoice.periodStart} format="day" /> –{' '}
                <Moment at={invoice.periodEnd} format="day" />
              </span>,
            ],
            [t.invoice.due, <Moment key="due" at={invoice.dueAt} format="long" />],
            [
              t.common.customer,
              subscription.customer && (
                <Link to={`/customers/${subscription.customer.id}`}>{formatPayer(subscription)}</Link>
              ),
            ],
            [
              t.subscription.subscription,
              <Link key="subscription" to={`/subscriptions/${subscription.id}`}>
                {subscription.id}
              </Link>,
            ],
            [
              t.common.plan,
              <Link key="plan" to={`/plans/${subscription.subscriptionPlan.id}`}>
                {subscription.subscriptionPlan.name}
              </Link>,
            ],
            [
              t.common.charge,
              charge === null ? (
                getMissingChargeText(invoice)
              ) : (
                <Link key="charge" to={`/charges/${charge.id}`}>
                  {charge.id}
                </Link>
              ),
            ],
            [
              t.invoice.paymentPage,
              invoice.status === 'open' && (
                <CopyLinkButton
                  key="page"
                  label={t.common.copyLink}
                  name={t.invoice.copyLinkToThePaymentPage}
                  url={invoice.checkoutUrl}
                />
              ),
            ],
            [t.common.created, <Moment key="created" at={invoice.createdAt} format="long" />],
            [t.invoice.sentAgain, resentAt && <Moment at={resentAt} format="long" />],
            [t.common.paidAt, paidAt && <Moment at={paidAt} format="long" />],
            [t.invoice.voided, voidedAt && <Moment at={voidedAt} format="long" />],
            [
              t.invoice.replacedBy,
              replacedBy && (
                <Link to={`/invoices/${replacedBy.id}`}>
                  {fillText(t.common.invoiceNumber, { number: replacedBy.number })}
                </Link>
              ),
            ],
          ]}
        />
      </Section>
    </>
  );
}

function getMissingChargeText({ status, isPaidExternally }: InvoiceDetails): string {
  if (isPaidExternally) return t.invoice.noneYouMarkedThe;
  return status === 'void' ? t.common.none : t.invoice.noneYetTheCustomer;
}
