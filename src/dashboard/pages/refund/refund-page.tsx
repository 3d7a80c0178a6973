import { Alert, Grid, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { EventHistory } from '../../components/event-history.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
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
          <ObjectNotFound title={t.refund.notFound} />
        )
      }
    </Loaded>
  );
}

function Details({ refund, onChanged }: { refund: RefundDetails; onChanged: () => void }) {
  const { user } = useViewer();
  const canRefund = useHasPermission('refund');
  const isInFile = refund.status === 'processing' && refund.payoutExportedAt !== null;
  return (
    <>
      <BackLink to="/refunds">{t.common.refunds}</BackLink>
      <PageHeader
        title={formatAmount(refund.customerAmount, refund.customerCurrency)}
        objectType={t.refund.refund}
        badge={<StatusBadge status={`refund_${refund.status}`} />}
        text={<CopyText text={refund.id} label={t.components.copyId} />}
      >
        <RefundActions refund={refund} onChanged={onChanged} />
      </PageHeader>
      {canRefund && isInFile && (
        <Text size="sm" mb="lg">
          {fillText(t.refund.aPaymentFileContains, { action: t.refund.requestNewDetails })}
        </Text>
      )}
      {refund.status !== 'cancelled' && refund.unresolvedReturnTransfer && (
        <Alert color="amber" variant="light" title={t.refund.thisPayoutWasReturned} mb="lg">
          {fillNodes(t.refund.aHasItsReference, {
            link: (
              <Link to={`/transfers/${refund.unresolvedReturnTransfer.id}`}>{t.refund.returnedPayment}</Link>
            ),
          })}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.refund.payoutDetails}>
            <RefundPayout refund={refund} refresh={onChanged} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.common.details}>
            <RefundFacts refund={refund} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title={t.common.timeline}>
            <EventHistory entries={toRefundHistory(refund.events ?? [], user.id)} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function RefundFacts({ refund }: { refund: RefundDetails }) {
  const { charge, createdAt, completedAt, payoutExportedAt } = refund;
  return (
    <Facts
      facts={[
        [
          t.common.amount,
          <Amount key="amount" value={refund.customerAmount} currency={refund.customerCurrency} />,
        ],
        [
          t.common.charge,
          <Link key="charge" to={`/charges/${charge.id}`}>
            {t.refund.viewCharge}
          </Link>,
        ],
        [
          t.common.customer,
          charge.customer && <Link to={`/customers/${charge.customer.id}`}>{formatPayer(charge)}</Link>,
        ],
        [t.common.reason, refund.reason && (refundReasonTexts[refund.reason] ?? refund.reason)],
        [t.common.note, refund.note],
        [t.refund.originalMethod, formatMethod(refund.method)],
        [t.common.created, <Moment key="created" at={createdAt} format="long" />],
        [t.refund.exportedAt, payoutExportedAt && <Moment at={payoutExportedAt} format="long" />],
        ...(refund.payouts ?? []).map(toPayoutFact),
        [t.common.completedAt, completedAt && <Moment at={completedAt} format="long" />],
      ]}
    />
  );
}

function toPayoutFact(payout: NonNullable<RefundDetails['payouts']>[number]): readonly [string, ReactNode] {
  const { id, payoutReference, paidAt, transfer, returnTransfer } = payout;
  const sentAt = <Moment at={paidAt} format="long" />;
  return [
    fillText(t.refund.sentWith, { payoutReference }),
    <span key={id}>
      {transfer ? <Link to={`/transfers/${transfer.id}`}>{sentAt}</Link> : sentAt}
      {returnTransfer && (
        <>
          {' · '}
          <Link to={`/transfers/${returnTransfer.id}`}>{t.refund.returned}</Link>
        </>
      )}
    </span>,
  ];
}

function RefundPayout({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const canRefund = useHasPermission('refund');
  const { status, payoutDetails, payoutReference } = refund;
  if (status === 'initiated') return <AwaitingDetails refund={refund} refresh={refresh} />;
  if (status === 'cancelled') return <Muted>{t.refund.theRefundWasCancelled}</Muted>;
  if (!canRefund) return <Muted>{t.refund.bankDetailsAreVisible}</Muted>;
  if (!payoutDetails) return <HiddenDetails refresh={refresh} />;
  const { bank, account, accountName } = payoutDetails;
  return (
    <Facts
      facts={[
        [t.common.bank, bank && <CopyText text={bank} label={t.components.copyBank} />],
        [
          refund.payoutScheme === null ? t.common.account : schemeNames[refund.payoutScheme],
          <CopyText key="account" text={account} label={t.components.copyAccount} />,
        ],
        [
          t.refund.accountHolder,
          <CopyText key="holder" text={accountName} label={t.components.copyAccountHolder} />,
        ],
        [
          t.common.reference,
          payoutReference && <CopyText text={payoutReference} label={t.components.copyReference} />,
        ],
      ]}
    />
  );
}

/**
 * Replaces payout details that the API did not return. In live mode, the API returns them only after a recent
 * re-authentication; if they are still missing then, they are no longer stored.
 */
function HiddenDetails({ refresh }: { refresh: () => void }) {
  const { mode } = useMode();
  const [wasRequested, setRequested] = useState(false);
  if (mode === 'sandbox') return <Muted>{t.refund.theRefundWasCompleted}</Muted>;
  if (wasRequested) return <Muted>{t.refund.theBankDetailsAreNo}</Muted>;
  const handleReauthenticated = () => {
    setRequested(true);
    refresh();
  };
  return <ReauthenticateButton label={t.refund.showBankDetails} onReauthenticated={handleReauthenticated} />;
}

function AwaitingDetails({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const canRefund = useHasPermission('refund');
  const { detailsUrl, reopenReason, charge } = refund;
  return (
    <>
      <Text size="sm" mb="sm">
        {reopenReason !== null && `${fillText(t.refund.theLastPayoutWas, { reopenReason })} `}
        {charge.email !== null && isMailDelivered
          ? fillText(t.refund.theCustomerEntersBankEmailed, { email: charge.email })
          : t.refund.theCustomerEntersBankSend}
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
            {fillText(t.refund.paidFrom, { account: [payer.account, payer.name].filter(Boolean).join(', ') })}
          </Text>
          <EnterDetailsButton
            refund={refund}
            label={t.refund.useThisAccount}
            payer={payer}
            onChanged={refresh}
          />
        </Group>
      ))}
      <EnterDetailsButton refund={refund} label={t.refund.enterDetails} onChanged={refresh} />
    </Stack>
  );
}
