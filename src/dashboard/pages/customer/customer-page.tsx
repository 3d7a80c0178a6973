import { Grid, Stack } from '@mantine/core';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoteSection } from '../../components/note-section.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isZero } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatList } from '../../format/list.ts';
import { formatName, formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { RefundTable } from '../refund/refund-table.tsx';
import { SubscriptionTable } from '../subscription/subscription-table.tsx';
import { type CustomerPageData, customerQuery, updateCustomerNoteMutation } from './customer-query.ts';

export default function CustomerPage({ id }: { id: string }) {
  const query = useCachedQuery(customerQuery, { id });
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ customer }) =>
        customer ? (
          <Details customer={customer} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.customer.notFound} />
        )
      }
    </Loaded>
  );
}

type CustomerPageProps = { customer: CustomerPageData; onChanged: () => void };

function Details({ customer, onChanged }: CustomerPageProps) {
  const { recentCharges, recentRefunds, recentSubscriptions } = customer;
  return (
    <>
      <BackLink to="/customers">{t.common.customers}</BackLink>
      <PageHeader
        title={formatPayer(customer)}
        objectType={t.common.customer}
        text={<CopyText text={customer.id} label={t.components.copyId} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.common.details}>
            <CustomerFacts customer={customer} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <CustomerNote customer={customer} onChanged={onChanged} />
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title={t.common.payments} isFlush>
              {recentCharges.length > 0 ? (
                <ChargeTable label={t.common.payments} charges={recentCharges} />
              ) : (
                <EmptyState title={t.customer.noPaymentsYet}>{t.customer.thisCustomerHasNo}</EmptyState>
              )}
            </Section>
            {recentRefunds.length > 0 && (
              <Section title={t.common.refunds} isFlush>
                <RefundTable refunds={recentRefunds} />
              </Section>
            )}
            {recentSubscriptions.length > 0 && (
              <Section title={t.common.subscriptions} isFlush>
                <SubscriptionTable subscriptions={recentSubscriptions} />
              </Section>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function CustomerFacts({ customer }: { customer: CustomerPageData }) {
  const { totals, email, phone, createdAt } = customer;
  const paid = totals.map(({ currency, chargeCount, paidAmount }) =>
    pluralize(chargeCount, t.customer.amountInPayments, { amount: formatAmount(paidAmount, currency) }),
  );
  const refunded = totals
    .filter(({ refundedAmount }) => !isZero(refundedAmount))
    .map(({ currency, refundedAmount }) => formatAmount(refundedAmount, currency));
  return (
    <Facts
      facts={[
        [t.customer.paidTotal, formatList(paid) || t.customer.nothingYet],
        [t.common.refundedAmount, formatList(refunded)],
        [t.common.personName, formatName(customer)],
        [t.common.email, email && <CopyText text={email} label={t.components.copyEmail} />],
        [t.common.phone, phone && <CopyText text={phone} label={t.components.copyPhone} />],
        [t.customer.customerSince, <Moment key="created" at={createdAt} format="long" />],
      ]}
    />
  );
}

function CustomerNote({ customer: { id, note }, onChanged }: CustomerPageProps) {
  const update = useMutationAction(updateCustomerNoteMutation, onChanged);
  return <NoteSection note={note} onSave={(newNote) => update({ input: { id, note: newNote } })} />;
}
