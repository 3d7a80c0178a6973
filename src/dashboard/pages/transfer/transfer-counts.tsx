import { Group, Stack, Text, TextInput, Timeline } from '@mantine/core';
import { useMutation } from 'urql';
import { formatAmount, isNegative } from '../../format/amount.ts';
import { actorText } from '../../format/words.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useMay, useViewer } from '../../viewer.ts';
import { payerText } from '../charge/charge-row.ts';
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
    return (
      <Text size="sm" c="var(--causeway-muted)">
        {text ?? 'Nothing yet.'}
      </Text>
    );
  }
  return (
    <Timeline active={allocations.length} bulletSize={14} lineWidth={2}>
      {allocations.map((allocation) => (
        <Timeline.Item
          key={allocation.id}
          title={
            <Text size="sm" fw={600}>
              {formatAmount(allocation.amount, transfer.currency)} ·{' '}
              {words[allocation.reason] ?? allocation.reason}
            </Text>
          }
        >
          <Stack gap={4} align="flex-start">
            {allocation.charge && (
              <Link to={`/charges/${allocation.charge.id}`} size="sm">
                Charge of {payerText(allocation.charge)}
              </Link>
            )}
            {allocation.note && <Text size="sm">“{allocation.note}”</Text>}
            <Text size="sm" c="var(--causeway-muted)">
              <Moment at={allocation.createdAt} form="long" />,{' '}
              {actorText({ actor: allocation.actor, message: 'CHARGE_COMPLETE' }, user.id)}
            </Text>
            {mayTransfer && holds(allocation, transfer) && (
              <TakeBackButton transfer={transfer} allocation={allocation} onChanged={onChanged} />
            )}
          </Stack>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** Whether it is the latest word about its charge, and can be taken back. */
function holds(allocation: Allocation, { allocations }: TransferDetails): boolean {
  const same = allocations.filter(({ charge }) => charge?.id === allocation.charge?.id);
  const isReversed = allocations.some(({ reason }) => reason === 'reversed');
  return !isReversed && same.at(-1)?.id === allocation.id && !isNegative(allocation.amount);
}

function TakeBackButton(props: { transfer: TransferDetails; allocation: Allocation; onChanged: () => void }) {
  const { transfer, allocation, onChanged } = props;
  const [, unassign] = useMutation(unassignTransferMutation);
  const { charge } = allocation;
  const run = async (form: FormData) => {
    const note = String(form.get('note')).trim() || null;
    const input = { id: transfer.id, chargeId: charge?.id ?? null, note };
    const refused = refusalOf(await unassign({ input }));
    onChanged();
    return refused;
  };
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
      <Group grow>
        <TextInput label="Note" name="note" placeholder="Why" maxLength={500} />
      </Group>
    </ConfirmButton>
  );
}
