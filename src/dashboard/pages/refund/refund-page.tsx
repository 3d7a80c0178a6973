import { Alert, Grid, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { EventHistory } from '../../components/event-history.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { CustomerLink } from './customer-link.tsx';
import { EnterDetailsButton } from './enter-details-button.tsx';
import { RefundActions } from './refund-actions.tsx';
import { type RefundDetails, refundQuery, refundUpdated } from './refund-query.ts';
import { refundReasonTexts } from './refund-reason-texts.ts';
import { schemeNames } from './scheme-names.ts';
import { toRefundHistory } from './to-refund-history.ts';

export default function RefundPage({ id }: { id: string }) {
  const variables = { id, mayRefund: useHasPermission('refund') };
  const query = useCachedQuery(refundQuery, variables);
  useLiveUpdates(refundUpdated, { id }, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ refund }) =>
        refund ? (
          <Details refund={refund} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="refund" />
        )
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
        objectType="Refund"
        badge={<StatusBadge status={`refund_${refund.status}`} />}
        text={<CopyText text={refund.id} label="refund id" />}
      >
        <RefundActions refund={refund} onChanged={onChanged} />
      </PageHeader>
      {refund.unresolvedReturnTransfer && (
        <Alert color="amber" variant="light" title="This payout was returned" mb="lg">
          A <Link to={`/transfers/${refund.unresolvedReturnTransfer.id}`}>returned payment</Link> has its
          reference and amount. Request new bank details from the customer.
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
            <EventHistory entries={toRefundHistory(refund.events ?? [], user.id)} />
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
        [
          'Customer',
          charge.customer && <Link to={`/customers/${charge.customer.id}`}>{formatPayer(charge)}</Link>,
        ],
        ['Reason', refund.reason && (refundReasonTexts[refund.reason] ?? refund.reason)],
        ['Note', refund.note],
        ['Original method', methodName(refund.method)],
        ['Created', <Moment key="created" at={createdAt} format="long" />],
        ['Exported', payoutExportedAt && <Moment at={payoutExportedAt} format="long" />],
        ...(refund.payouts ?? []).map(toPayoutFact),
        ['Completed', completedAt && <Moment at={completedAt} format="long" />],
      ]}
    />
  );
}

/** Returns a fact about a payout, with links to its bank transfers. */
function toPayoutFact(payout: NonNullable<RefundDetails['payouts']>[number]): readonly [string, ReactNode] {
  const { id, payoutReference, paidAt, transfer, returnTransfer } = payout;
  const sentAt = <Moment at={paidAt} format="long" />;
  return [
    `Sent with ${payoutReference}`,
    <span key={id}>
      {transfer ? <Link to={`/transfers/${transfer.id}`}>{sentAt}</Link> : sentAt}
      {returnTransfer && (
        <>
          , <Link to={`/transfers/${returnTransfer.id}`}>returned</Link>
        </>
      )}
    </span>,
  ];
}

/** Shows the payout details for the merchant's bank, or the link with which the customer enters them. */
function RefundPayout({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const canRefund = useHasPermission('refund');
  const { status, payoutDetails, payoutReference } = refund;
  if (status === 'initiated') return <AwaitingDetails refund={refund} refresh={refresh} />;
  if (status === 'cancelled')
    return <Muted>The refund was cancelled before the customer provided bank details.</Muted>;
  if (!canRefund) return <Muted>Bank details are visible only to users who can create refunds.</Muted>;
  if (!payoutDetails) return <HiddenDetails refresh={refresh} />;
  const { bank, account, accountName } = payoutDetails;
  return (
    <Facts
      facts={[
        ['Bank', bank && <CopyText text={bank} label="bank" />],
        [
          refund.payoutScheme === null ? 'Account' : schemeNames[refund.payoutScheme],
          <CopyText key="account" text={account} label="account" />,
        ],
        ['Account holder', <CopyText key="holder" text={accountName} label="account holder" />],
        ['Reference', payoutReference && <CopyText text={payoutReference} label="reference" />],
      ]}
    />
  );
}

/**
 * Replaces payout details that the API did not return. In live mode, it returns them only after a recent
 * re-authentication; if they are still missing then, they are no longer stored.
 */
function HiddenDetails({ refresh }: { refresh: () => void }) {
  const { mode } = useMode();
  const [wasRequested, setRequested] = useState(false);
  if (mode === 'sandbox')
    return <Muted>The refund was completed in the sandbox, without bank details.</Muted>;
  if (wasRequested) return <Muted>The bank details are no longer stored.</Muted>;
  const handleReauthenticated = () => {
    setRequested(true);
    refresh();
  };
  return <ReauthenticateButton label="Show bank details" onReauthenticated={handleReauthenticated} />;
}

function AwaitingDetails({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const canRefund = useHasPermission('refund');
  const { detailsUrl, reopenReason, charge } = refund;
  return (
    <>
      <Text size="sm" mb="sm">
        {reopenReason !== null && `The last payout was returned: ${reopenReason}. `}
        The customer enters bank details at this link
        {charge.email === null ? '. Send them the link.' : `. The link was emailed to ${charge.email}.`}
      </Text>
      <CustomerLink url={detailsUrl} refresh={refresh} />
      {canRefund && <OwnDetails refund={refund} refresh={refresh} />}
    </>
  );
}

/** Lets the merchant enter the details, or confirm the account from which the customer paid. */
function OwnDetails({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const payerAccounts = refund.payerAccounts ?? [];
  return (
    <Stack gap="xs" mt="md" align="flex-start">
      {payerAccounts.map((payer) => (
        <Group key={payer.account} gap="xs">
          <Text size="sm">
            Paid from {payer.account}
            {payer.name && `, ${payer.name}`}
          </Text>
          <EnterDetailsButton refund={refund} label="Use this account" payer={payer} onChanged={refresh} />
        </Group>
      ))}
      <EnterDetailsButton refund={refund} label="Enter details" onChanged={refresh} />
    </Stack>
  );
}
