import { Alert, Grid, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { History } from '../../components/history.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { ShowButton } from '../../components/reauthentication.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { payerText } from '../../format/payer.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMode } from '../../use-mode.ts';
import { useMay, useViewer } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { CustomerLink } from './customer-link.tsx';
import { RefundActions } from './refund-actions.tsx';
import { refundHistory } from './refund-history.ts';
import { type RefundDetails, refundQuery, refundUpdated } from './refund-query.ts';

/** One refund: how much, where to, what has happened. */
export default function RefundPage({ id }: { id: string }) {
  const variables = { id, mayRefund: useMay('refund') };
  const read = useRead(refundQuery, variables);
  useLive(refundUpdated, { id }, read.refresh);
  return (
    <Loaded read={read} lines={10}>
      {({ refund }) =>
        refund ? <Details refund={refund} onChanged={read.refresh} /> : <NoSuch noun="refund" />
      }
    </Loaded>
  );
}

function Details({ refund, onChanged }: { refund: RefundDetails; onChanged: () => void }) {
  const { user } = useViewer();
  return (
    <>
      <BackLink to="/refunds">Refunds</BackLink>
      <PageHeader
        title={formatAmount(refund.customerAmount, refund.customerCurrency)}
        noun="Refund"
        badge={<StatusBadge status={`refund_${refund.status}`} />}
        text={<CopyText text={refund.id} what="refund id" />}
      >
        <RefundActions refund={refund} onChanged={onChanged} />
      </PageHeader>
      {refund.returnedPayout && (
        <Alert color="amber" variant="light" title="This payout was returned" mb="lg">
          A <Link to={`/transfers/${refund.returnedPayout.id}`}>returned payment</Link> has its reference and
          amount. Request new bank details from the customer.
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Payout details">
            <RefundPayout refund={refund} refresh={onChanged} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <RefundFacts refund={refund} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title="Timeline">
            <History entries={refundHistory(refund.events, user.id)} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function RefundFacts({ refund }: { refund: RefundDetails }) {
  const methodName = useMethodName();
  const { charge, createdAt, completedAt, payoutExportedAt } = refund;
  return (
    <Facts
      facts={[
        ['Amount', <Amount key="amount" value={refund.customerAmount} currency={refund.customerCurrency} />],
        [
          'Charge',
          <Link key="charge" to={`/charges/${charge.id}`}>
            {charge.id}
          </Link>,
        ],
        ['Customer', payerText(charge)],
        ['Original method', methodName(refund.method)],
        ['Created', <Moment key="created" at={createdAt} form="long" />],
        ['Exported', payoutExportedAt && <Moment at={payoutExportedAt} form="long" />],
        ...refund.payouts.map(payoutFact),
        ['Completed', completedAt && <Moment at={completedAt} form="long" />],
      ]}
    />
  );
}

/** Money that was sent, with the bank's lines of it. */
function payoutFact(payout: RefundDetails['payouts'][number]): readonly [string, ReactNode] {
  const { id, reference, paidAt, transfer, returnedTransfer } = payout;
  const sent = <Moment at={paidAt} form="long" />;
  return [
    `Sent with ${reference}`,
    <span key={id}>
      {transfer ? <Link to={`/transfers/${transfer.id}`}>{sent}</Link> : sent}
      {returnedTransfer && (
        <>
          , <Link to={`/transfers/${returnedTransfer.id}`}>returned</Link>
        </>
      )}
    </span>,
  ];
}

/** What the merchant's bank is to be told; or the link by which the customer tells it. */
function RefundPayout({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const mayRefund = useMay('refund');
  const { status, payoutDetails, payoutReference } = refund;
  if (status === 'initiated') return <Asking refund={refund} refresh={refresh} />;
  if (status === 'cancelled')
    return <Quiet>The refund was cancelled before the customer provided bank details.</Quiet>;
  if (!mayRefund) return <Quiet>Bank details are visible only to users who can create refunds.</Quiet>;
  if (!payoutDetails) return <HiddenDetails refresh={refresh} />;
  const { bank, account, holder } = payoutDetails;
  return (
    <Facts
      facts={[
        ['Bank', bank && <CopyText text={bank} what="bank" />],
        ['Account', <CopyText key="account" text={account} what="account" />],
        ['Account holder', <CopyText key="holder" text={holder} what="account holder" />],
        ['Reference', <CopyText key="reference" text={payoutReference} what="reference" />],
      ]}
    />
  );
}

/** In live mode they are hidden without a recent re-authentication; afterwards there are none. */
function HiddenDetails({ refresh }: { refresh: () => void }) {
  const { mode } = useMode();
  const [isShown, setShown] = useState(false);
  if (mode === 'sandbox')
    return <Quiet>The refund was completed in the sandbox, without bank details.</Quiet>;
  if (isShown) return <Quiet>The bank details are no longer stored.</Quiet>;
  const show = () => {
    setShown(true);
    refresh();
  };
  return <ShowButton label="Show bank details" onReauthenticated={show} />;
}

function Asking({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const { detailsUrl, reopenReason, charge } = refund;
  return (
    <>
      <Text size="sm" mb="sm">
        {reopenReason !== null && `The last payout was returned: ${reopenReason}. `}
        The customer enters bank details on this page
        {charge.email === null ? '. Send them the link.' : `. The link was emailed to ${charge.email}.`}
      </Text>
      <CustomerLink url={detailsUrl} refresh={refresh} />
    </>
  );
}
