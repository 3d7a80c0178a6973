import { Grid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { EventHistory } from '../../components/event-history.tsx';
import { Facts } from '../../components/facts.tsx';
import { getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isNegative, isZero } from '../../format/amount.ts';
import { formatActor, formatMethod } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
import { DuplicateCandidates } from './duplicate-candidates.tsx';
import { DuplicateDecision } from './duplicate-decision.tsx';
import { ReviewNote } from './review-note.tsx';
import { ReviewReason } from './review-reason.tsx';
import { TransferActions } from './transfer-actions.tsx';
import { type TransferDetails, transferQuery, unassignTransferMutation } from './transfer-query.ts';
import { sourceTexts, transfersUpdated } from './transfer-row.ts';
import { TransferSuggestions } from './transfer-suggestions.tsx';

export default function TransferPage({ id }: { id: string }) {
  const query = useCachedQuery(transferQuery, { id });
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ transfer }) =>
        transfer ? (
          <Details transfer={transfer} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.transfer.notFound} />
        )
      }
    </Loaded>
  );
}

function Details({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const { status, reason } = transfer;
  const isException = status === 'exception';
  const needsReview = isException || (status === 'outgoing' && reason === 'possible_duplicate');
  // The link stays the same after the transfer was reviewed on this page.
  const [isFromReview] = useState(isException);
  return (
    <>
      {isFromReview ? (
        <BackLink to="/review">{t.common.needsReview}</BackLink>
      ) : (
        <BackLink to="/transfers">{t.common.transfers}</BackLink>
      )}
      <PageHeader
        title={formatAmount(transfer.amount, transfer.currency)}
        objectType={t.transfer.transfer}
        badge={<StatusBadge status={transfer.status} />}
        text={<CopyText text={transfer.id} label={t.components.copyId} />}
      >
        {needsReview && <TransferActions transfer={transfer} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title={t.transfer.transfer}>
            <TransferFacts transfer={transfer} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            {needsReview && (
              <Section title={t.common.needsReview}>
                <Stack gap="md">
                  <ReviewReason transfer={transfer} />
                  {isException && <ReviewNote transfer={transfer} onChanged={onChanged} />}
                  <DuplicateCandidates transfer={transfer} onChanged={onChanged} />
                  {!isZero(transfer.amountUnallocated) && (
                    <TransferSuggestions transfer={transfer} onChanged={onChanged} />
                  )}
                </Stack>
              </Section>
            )}
            <Section title={t.transfer.appliedTo}>
              <TransferAllocations transfer={transfer} onChanged={onChanged} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function TransferFacts({ transfer }: { transfer: TransferDetails }) {
  const { receivingAccount: account, currency, amountUnallocated, bankReference } = transfer;
  const isIncoming = transfer.direction === 'credit';
  return (
    <Facts
      facts={[
        [t.common.amount, <Amount key="amount" value={transfer.amount} currency={currency} />],
        [
          t.transfer.unallocated,
          !isZero(amountUnallocated) && transfer.status === 'exception' && (
            <Amount value={amountUnallocated} currency={currency} />
          ),
        ],
        [
          isIncoming ? t.common.paidAt : t.transfer.sentAt,
          <Moment key="at" at={transfer.paidAt} format={transfer.isPaidAtDateOnly ? 'date' : 'long'} />,
        ],
        [isIncoming ? t.common.fromPayer : t.transfer.toPayee, transfer.payerName],
        [
          t.transfer.reference,
          transfer.reference && <CopyText text={transfer.reference} label={t.components.copyReference} />,
        ],
        [t.common.account, `${formatMethod(account.method)} · ${account.account}`],
        [t.common.source, sourceTexts[transfer.source]],
        [
          t.common.bankReference,
          bankReference === null ? (
            <Muted key="none">{t.transfer.noneFromTheBank}</Muted>
          ) : (
            <CopyText key="bank" text={bankReference} label={t.components.copyBankReference} />
          ),
        ],
        [t.transfer.recordedAt, <Moment key="created" at={transfer.createdAt} format="long" />],
        [t.common.undoneAt, transfer.undoneAt !== null && <Moment at={transfer.undoneAt} format="long" />],
      ]}
    />
  );
}

type TransferAllocationRow = TransferDetails['allocations'][number];

const allocationReasonTexts: Record<string, string> = {
  matched: t.transfer.matched,
  assigned: t.transfer.assigned,
  shortfall_accepted: t.transfer.acceptedAsFullPayment,
  returned: t.transfer.returnedToPayer,
  reversed: t.transfer.reversedByTheBank,
  dismissed: t.transfer.notACustomerPayment,
  ignored: t.transfer.ignoredByARule,
  unassigned: t.transfer.unassigned,
  charge_expired: t.transfer.releasedTheChargeExpired,
  charge_cancelled: t.transfer.releasedTheChargeWas,
  payout_returned: t.transfer.appliedToItsRefund,
  statement_undone: t.transfer.releasedTheStatementWas,
  reversal_undone: t.transfer.appliedAgainTheReversal,
};

/** Lists all allocations, oldest first. Allocations that are still in effect can be undone. */
function TransferAllocations(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const { user } = useViewer();
  const canManageTransfers = useHasPermission('transfers');
  const { allocations, status } = transfer;
  if (status === 'duplicate') return <DuplicateDecision transfer={transfer} onChanged={onChanged} />;
  if (allocations.length === 0) {
    const text = {
      outgoing: t.transfer.outgoingTransfer,
      undone: t.transfer.itsStatementWasUndone,
    }[status as string];
    return <Muted>{text ?? t.transfer.notAppliedYet}</Muted>;
  }
  const entries = allocations.map((allocation) => ({
    id: allocation.id,
    at: allocation.createdAt,
    text: formatAllocation(allocation, transfer.currency),
    by: formatActor(allocation.actor, user.id, { isReporter: allocation.reason === 'matched' }),
    more: (
      <>
        {allocation.charge && (
          <Link to={`/charges/${allocation.charge.id}`} size="sm">
            {fillText(t.transfer.chargeOf, { charge: formatPayer(allocation.charge) })}
          </Link>
        )}
        {allocation.note && <Text size="sm">“{allocation.note}”</Text>}
        {canManageTransfers && canUndo(allocation, transfer) && (
          <UnassignButton transfer={transfer} allocation={allocation} onChanged={onChanged} />
        )}
      </>
    ),
  }));
  return <EventHistory entries={entries} />;
}

/** An allocation without an amount records that what was received is the full payment. */
function formatAllocation({ amount, reason }: TransferAllocationRow, currency: string): string {
  const text = allocationReasonTexts[reason] ?? reason;
  return isZero(amount) ? text : `${formatAmount(amount, currency)} · ${text}`;
}

/**
 * Returns whether an allocation can be undone: it is positive and the latest one for its charge, and the bank has not
 * reversed the transfer.
 */
function canUndo(allocation: TransferAllocationRow, { allocations }: TransferDetails): boolean {
  const chargeAllocations = allocations.filter(({ charge }) => charge?.id === allocation.charge?.id);
  const isReversed = allocations.some(({ reason }) => reason === 'reversed');
  return !isReversed && chargeAllocations.at(-1)?.id === allocation.id && !isNegative(allocation.amount);
}

function UnassignButton(props: {
  transfer: TransferDetails;
  allocation: TransferAllocationRow;
  onChanged: () => void;
}) {
  const { transfer, allocation, onChanged } = props;
  const unassign = useMutationAction(unassignTransferMutation, onChanged);
  const { charge } = allocation;
  const undoTexts = getUndoTexts(allocation);
  const submit = (form: FormData) =>
    unassign({
      input: { id: transfer.id, chargeId: charge?.id ?? null, note: getText(form, 'note') || null },
    });
  return (
    <ConfirmButton
      label={undoTexts.label}
      title={undoTexts.title}
      variant="default"
      size="compact-sm"
      isDanger
      onConfirm={submit}
    >
      <Text size="sm">
        {charge?.status === 'completed'
          ? t.transfer.theChargeStaysCompleted
          : t.transfer.theTransferNeedsReview}
      </Text>
      <TextInput label={t.common.note} name="note" placeholder={t.common.reason} maxLength={500} />
    </ConfirmButton>
  );
}

function getUndoTexts({ charge, reason }: TransferAllocationRow): { label: string; title: string } {
  if (charge) return { label: t.transfer.unassign, title: t.transfer.unassignThisTransferFrom };
  return reason === 'dismissed' || reason === 'ignored'
    ? { label: t.transfer.reviewAgain, title: t.transfer.reviewThisTransferAgain }
    : { label: t.transfer.undoReturn, title: t.transfer.undoThisReturn };
}
