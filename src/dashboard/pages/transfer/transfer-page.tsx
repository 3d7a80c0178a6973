import { Grid, Stack, Text, TextInput } from '@mantine/core';
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
import { formatBankReference } from '../../format/bank-reference.ts';
import { formatActor } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { DuplicateCandidates } from './duplicate-candidates.tsx';
import { formatReviewReason } from './format-review-reason.ts';
import { ReviewNote } from './review-note.tsx';
import { TransferActions } from './transfer-actions.tsx';
import { type TransferDetails, transferQuery, unassignTransferMutation } from './transfer-query.ts';
import { sourceTexts, transfersUpdated } from './transfer-row.ts';
import { TransferSuggestions } from './transfer-suggestions.tsx';

/** Shows a transfer, the charges it is applied to and, if it needs review, the possible actions. */
export default function TransferPage({ id }: { id: string }) {
  const query = useCachedQuery(transferQuery, { id });
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ transfer }) =>
        transfer ? (
          <Details transfer={transfer} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="transfer" />
        )
      }
    </Loaded>
  );
}

function Details({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const needsReview = transfer.status === 'exception';
  return (
    <>
      {needsReview ? (
        <BackLink to="/review">Needs review</BackLink>
      ) : (
        <BackLink to="/transfers">Transfers</BackLink>
      )}
      <PageHeader
        title={formatAmount(transfer.amount, transfer.currency)}
        objectType="Transfer"
        badge={<StatusBadge status={transfer.status} />}
        text={<CopyText text={transfer.id} label="transfer id" />}
      >
        {needsReview && <TransferActions transfer={transfer} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="Transfer">
            <TransferFacts transfer={transfer} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            {needsReview && (
              <Section title="Needs review">
                <Stack gap="md">
                  <Text size="sm">{formatReviewReason(transfer)}.</Text>
                  <ReviewNote transfer={transfer} onChanged={onChanged} />
                  <DuplicateCandidates transfer={transfer} onChanged={onChanged} />
                  {!isZero(transfer.amountUnallocated) && (
                    <TransferSuggestions transfer={transfer} onChanged={onChanged} />
                  )}
                </Stack>
              </Section>
            )}
            <Section title="Applied to">
              <TransferAllocations transfer={transfer} onChanged={onChanged} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function TransferFacts({ transfer }: { transfer: TransferDetails }) {
  const methodName = useMethodName();
  const { receivingAccount: account, currency, amountUnallocated } = transfer;
  const isIncoming = transfer.direction === 'credit';
  const bankReference = formatBankReference(transfer.bankReference);
  return (
    <Facts
      facts={[
        ['Amount', <Amount key="amount" value={transfer.amount} currency={currency} />],
        [
          'Unallocated',
          !isZero(amountUnallocated) && transfer.status === 'exception' && (
            <Amount value={amountUnallocated} currency={currency} />
          ),
        ],
        [
          isIncoming ? 'Paid' : 'Sent',
          <Moment key="at" at={transfer.paidAt} format={transfer.isPaidAtDateOnly ? 'date' : 'long'} />,
        ],
        [isIncoming ? 'From' : 'To', transfer.payerName],
        ['Reference', transfer.reference && <CopyText text={transfer.reference} label="reference" />],
        ['Account', `${methodName(account.method)}, ${account.account}`],
        ['Source', sourceTexts[transfer.source]],
        [
          'Bank reference',
          bankReference === null ? (
            <Muted key="none">None from the bank</Muted>
          ) : (
            <CopyText key="bank" text={bankReference} label="bank reference" />
          ),
        ],
        ['Recorded', <Moment key="created" at={transfer.createdAt} format="long" />],
        ['Undone', transfer.undoneAt !== null && <Moment at={transfer.undoneAt} format="long" />],
      ]}
    />
  );
}

type TransferAllocationRow = TransferDetails['allocations'][number];

const allocationReasonTexts: Record<string, string> = {
  matched: 'Matched',
  assigned: 'Assigned',
  shortfall_accepted: 'Accepted as full payment',
  returned: 'Returned to payer',
  reversed: 'Reversed by the bank',
  dismissed: 'Not a customer payment',
  ignored: 'Ignored by a rule',
  unassigned: 'Unassigned',
  charge_expired: 'Released: the charge expired',
  charge_cancelled: 'Released: the charge was cancelled',
  payout_returned: 'Applied to its refund',
  statement_undone: 'Released: the statement was undone',
  reversal_undone: 'Applied again: the reversal was undone',
  taken_over: 'Taken over from an undone statement',
};

/** Lists all allocations, oldest first. Allocations that are still in effect can be undone. */
function TransferAllocations(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const { user } = useViewer();
  const canManageTransfers = useHasPermission('transfers');
  const { allocations, status } = transfer;
  if (allocations.length === 0) {
    const text = {
      duplicate: 'Duplicate. Not applied to any charge.',
      outgoing: 'Outgoing transfer.',
      undone: 'Its statement was undone.',
    }[status as string];
    return <Muted>{text ?? 'Not applied yet.'}</Muted>;
  }
  const entries = allocations.map((allocation) => ({
    id: allocation.id,
    at: allocation.createdAt,
    text: `${formatAmount(allocation.amount, transfer.currency)} · ${allocationReasonTexts[allocation.reason] ?? allocation.reason}`,
    by: formatActor(allocation.actor, user.id, { isReporter: true }),
    more: (
      <>
        {allocation.charge && (
          <Link to={`/charges/${allocation.charge.id}`} size="sm">
            Charge of {formatPayer(allocation.charge)}
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
          ? 'The charge stays completed but shows a lower received amount. The transfer needs review again.'
          : 'The transfer needs review again.'}
      </Text>
      <TextInput label="Note" name="note" placeholder="Reason" maxLength={500} />
    </ConfirmButton>
  );
}

function getUndoTexts({ charge, reason }: TransferAllocationRow): { label: string; title: string } {
  if (charge) return { label: 'Unassign', title: 'Unassign this transfer from the charge?' };
  return reason === 'dismissed' || reason === 'ignored'
    ? { label: 'Review again', title: 'Review this transfer again?' }
    : { label: 'Undo return', title: 'Undo this return?' };
}
