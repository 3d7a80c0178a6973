import { Group, Select, Text, Textarea } from '@mantine/core';
import { useQuery } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatActorName } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import { useCanReview, useIsOwner, useViewer } from '../../viewer.ts';
import { usersQuery } from '../user/users-query.ts';
import { type TransferDetails, updateTransfersMutation } from './transfer-query.ts';

type ReviewedTransfer = Pick<TransferDetails, 'id' | 'note' | 'assignee'>;

export function ReviewNote(props: { transfer: ReviewedTransfer; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const canReview = useCanReview();
  const { user } = useViewer();
  const { note, assignee } = transfer;
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 12rem', minWidth: 0 }}>
        <Text size="sm">
          {assignee
            ? fillText(t.transfer.assignedTo, { assignee: formatAssignee(assignee, user.id) })
            : t.transfer.notAssigned}
        </Text>
        {note && (
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            “{note}”
          </Text>
        )}
      </div>
      {canReview && <ReviewNoteButton transfer={transfer} onChanged={onChanged} />}
    </Group>
  );
}

export function formatAssignee(assignee: NonNullable<TransferDetails['assignee']>, viewerId: string): string {
  return assignee.objectId === viewerId ? t.transfer.you : formatActorName(assignee);
}

function ReviewNoteButton({ transfer, onChanged }: { transfer: ReviewedTransfer; onChanged: () => void }) {
  const update = useMutationAction(updateTransfersMutation, onChanged);
  const users = useAssignableUsers(transfer);
  return (
    <ConfirmButton
      label={transfer.note || transfer.assignee ? t.common.edit : t.transfer.assignToAPerson}
      title={t.transfer.review}
      confirmLabel={t.common.save}
      variant="default"
      size="compact-sm"
      onConfirm={(form) =>
        update({
          input: {
            ids: [transfer.id],
            assigneeId: getText(form, 'assigneeId') || null,
            note: getText(form, 'note') || null,
          },
        })
      }
    >
      <Select
        label={t.transfer.reviewedBy}
        placeholder={t.transfer.nobody}
        clearable
        data={users}
        name="assigneeId"
        defaultValue={transfer.assignee?.objectId ?? null}
      />
      <Textarea
        label={t.common.note}
        name="note"
        description={t.common.visibleToYourTeam}
        defaultValue={transfer.note ?? ''}
        maxLength={500}
        autosize
        minRows={2}
      />
    </ConfirmButton>
  );
}

/** Returns the users to choose from. Only owners can list the others. */
function useAssignableUsers({ assignee }: ReviewedTransfer): { value: string; label: string }[] {
  const { user } = useViewer();
  const [{ data }] = useQuery({ query: usersQuery, variables: { first: 50 }, pause: !useIsOwner() });
  const others = data?.users.nodes ?? [];
  const choices = new Map([
    [user.id, fillText(t.transfer.assigneeYou, { assignee: user.name || user.email })],
  ]);
  if (assignee?.objectId && !choices.has(assignee.objectId))
    choices.set(assignee.objectId, formatActorName(assignee));
  for (const { id, name, email } of others) if (id !== user.id) choices.set(id, name || email);
  return [...choices].map(([value, label]) => ({ value, label }));
}
