import { Text, TextInput } from '@mantine/core';
import { formatAmount, isNegative } from '../../format/amount.ts';
import { payerText } from '../../format/payer.ts';
import { actorText } from '../../format/words.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { textOf } from '../../parts/form.tsx';
import { History } from '../../parts/history.tsx';
import { Link } from '../../parts/link.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMay, useViewer } from '../../viewer.ts';
import { type TransferDetails, unassignTransferMutation } from './transfer-query.ts';

type Allocation = TransferDetails['allocations'][number];

const words: Record<string, string> = {
  matched: 'Matched',
  assigned: 'Assigned',
  shortfall_accepted: 'Taken as payment in full',
  returned: 'Sent back to the payer',
  reversed: 'Taken back by the bank',
  unassigned: 'Taken back by you',
  charge_expired: 'Let go: the charge expired',
  charge_cancelled: 'Let go: the charge was cancelled',
};

/** Every decision about the money, oldest first; those that still hold can be corrected. */
export function TransferCounts(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const { user } = useViewer();
  const mayTransfer = useMay('transfers');
  const { allocations, status } = transfer;
  if (allocations.length === 0) {
    const text = { duplicate: 'It is known already and counts for nothing.', outgoing: 'It went out.' }[
      status as string
    ];
    return <Quiet>{text ?? 'Nothing yet.'}</Quiet>;
  }
  const entries = allocations.map((allocation) => ({
    id: allocation.id,
    at: allocation.createdAt,
    text: `${formatAmount(allocation.amount, transfer.currency)} · ${words[allocation.reason] ?? allocation.reason}`,
    by: actorText(allocation.actor, user.id, { isTold: true }),
    more: (
      <>
        {allocation.charge && (
          <Link to={`/charges/${allocation.charge.id}`} size="sm">
            Charge of {payerText(allocation.charge)}
          </Link>
        )}
        {allocation.note && <Text size="sm">“{allocation.note}”</Text>}
        {mayTransfer && holds(allocation, transfer) && (
          <TakeBackButton transfer={transfer} allocation={allocation} onChanged={onChanged} />
        )}
      </>
    ),
  }));
  return <History entries={entries} />;
}

/** Whether it is the latest word about its charge, and can be taken back. */
function holds(allocation: Allocation, { allocations }: TransferDetails): boolean {
  const same = allocations.filter(({ charge }) => charge?.id === allocation.charge?.id);
  const isReversed = allocations.some(({ reason }) => reason === 'reversed');
  return !isReversed && same.at(-1)?.id === allocation.id && !isNegative(allocation.amount);
}

function TakeBackButton(props: { transfer: TransferDetails; allocation: Allocation; onChanged: () => void }) {
  const { transfer, allocation, onChanged } = props;
  const unassign = useAct(unassignTransferMutation, onChanged);
  const { charge } = allocation;
  const run = (form: FormData) =>
    unassign({
      input: { id: transfer.id, chargeId: charge?.id ?? null, note: textOf(form, 'note') || null },
    });
  return (
    <ConfirmButton
      label={charge ? 'Take back' : 'It was not sent'}
      title={charge ? 'Shall it count for the charge no longer?' : 'Was it not sent back?'}
      confirm="Open it again"
      variant="default"
      size="compact-sm"
      isDanger
      onConfirm={run}
    >
      <Text size="sm">
        {charge?.status === 'completed'
          ? 'The charge stays completed, and shows that it has received less. The money waits for you again.'
          : 'The money waits for you again.'}
      </Text>
      <TextInput label="Note" name="note" placeholder="Why" maxLength={500} />
    </ConfirmButton>
  );
}
