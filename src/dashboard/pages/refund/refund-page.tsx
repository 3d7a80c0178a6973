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
        <Alert color="amber" variant="light" title="The bank sent this money back" mb="lg">
          A <Link to={`/transfers/${refund.returnedPayout.id}`}>payment that came back</Link> carries its
          reference and amount. Ask the customer again where the money should go.
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Where the money goes">
            <RefundPayout refund={refund} refresh={onChanged} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <RefundFacts refund={refund} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title="What happened">
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
        ['Was paid by', methodName(refund.method)],
        ['Made', <Moment key="made" at={createdAt} form="long" />],
        ['In a file for the bank', payoutExportedAt && <Moment at={payoutExportedAt} form="long" />],
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
          , <Link to={`/transfers/${returnedTransfer.id}`}>came back</Link>
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
    return <Quiet>It was withdrawn before the customer told where the money goes.</Quiet>;
  if (!mayRefund) return <Quiet>Where the money goes is shown to those who may refund.</Quiet>;
  if (!payoutDetails) return <HiddenDetails refresh={refresh} />;
  const { bank, account, holder } = payoutDetails;
  return (
    <Facts
      facts={[
        ['Bank', bank && <CopyText text={bank} what="bank" />],
        ['Account', <CopyText key="account" text={account} what="account" />],
        ['Holder', <CopyText key="holder" text={holder} what="holder" />],
        ['Reference', <CopyText key="reference" text={payoutReference} what="reference" />],
      ]}
    />
  );
}

/** In live mode they are hidden without a recent re-authentication; afterwards there are none. */
function HiddenDetails({ refresh }: { refresh: () => void }) {
  const { mode } = useMode();
  const [isShown, setShown] = useState(false);
  if (mode === 'sandbox') return <Quiet>It was completed in the sandbox, without an account.</Quiet>;
  if (isShown) return <Quiet>They are no longer stored.</Quiet>;
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
        {reopenReason !== null && `The last payout came back: ${reopenReason}. `}
        The customer tells it on this page
        {charge.email === null ? '; hand on its link.' : `. Its link was mailed to ${charge.email}.`}
      </Text>
      <CustomerLink url={detailsUrl} refresh={refresh} />
    </>
  );
}
