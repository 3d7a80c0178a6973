import { Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EventHistory } from '../../components/event-history.tsx';
import { Link } from '../../components/link.tsx';
import { Muted } from '../../components/muted.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatActor } from '../../format/labels.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
import { type TransferDetails, unassignTransferMutation } from './transfer-query.ts';
import { getTransferTitle } from './transfer-row.ts';

export function DuplicateDecision(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const { user } = useViewer();
  const canManageTransfers = useHasPermission('transfers');
  const unassign = useMutationAction(unassignTransferMutation, onChanged);
  const { id, duplicateOf: original, duplicateMark: mark } = transfer;
  return (
    <Stack gap="sm" align="flex-start">
      <Muted>{t.transfer.duplicateNotAppliedTo}</Muted>
      {original && (
        <Text size="sm" component="div">
          {fillNodes(t.transfer.originalTransferLink, {
            transfer: <Link to={`/transfers/${original.id}`}>{getTransferTitle(original)}</Link>,
          })}
        </Text>
      )}
      {mark && (
        <EventHistory
          entries={[
            {
              id,
              at: mark.createdAt,
              text: t.transfer.markedAsDuplicate,
              by: formatActor(mark.actor, user.id, { isReporter: false }),
            },
          ]}
        />
      )}
      {canManageTransfers && (
        <ConfirmButton
          label={t.transfer.markAsNotADuplicate}
          title={t.transfer.markAsNotADuplicateTitle}
          variant="default"
          size="compact-sm"
          onConfirm={() => unassign({ input: { id } })}
        >
          <Text size="sm">{t.transfer.theTransferIsA}</Text>
        </ConfirmButton>
      )}
    </Stack>
  );
}
