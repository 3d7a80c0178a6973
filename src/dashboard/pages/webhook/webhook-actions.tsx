import { Button, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { Moment } from '../../components/moment.tsx';
import { SecretReveal } from '../../components/secret-reveal.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { WebhookForm } from './webhook-form.tsx';
import {
  deleteWebhookMutation,
  rotateWebhookSecretMutation,
  sendTestMutation,
  updateWebhookMutation,
  type WebhookRow,
} from './webhooks-query.ts';

type WebhookActionsProps = { webhook: WebhookRow; onChanged: () => void };

/** The actions on a webhook. `onResult` receives a one-line message about the outcome. */
export function WebhookActions({
  webhook,
  onChanged,
  onResult,
}: WebhookActionsProps & { onResult: (text: string) => void }) {
  const { id, disabledAt, isSigned } = webhook;
  const [isEditing, editDialog] = useDisclosure();
  const [isDeleting, deleteDialog] = useDisclosure();
  const [isRotating, rotateDialog] = useDisclosure();
  const update = useMutationAction(updateWebhookMutation, onChanged);
  const sendTest = useMutationAction(sendTestMutation);

  const setEnabled = async (isEnabled: boolean) => {
    const errorMessage = await update({ input: { id, isEnabled } });
    onResult(
      errorMessage ??
        (isEnabled
          ? 'Webhook enabled. Retry the notifications it missed under Notifications.'
          : 'Webhook disabled.'),
    );
  };
  const sendTestNotification = async () => {
    onResult((await sendTest({ input: { webhookId: id } })) ?? 'A test notification is on its way.');
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Actions for ${webhook.name ?? webhook.url}`}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={sendTestNotification}>Send test</Menu.Item>
          <Menu.Item onClick={editDialog.open}>Edit</Menu.Item>
          {isSigned && <Menu.Item onClick={rotateDialog.open}>Rotate signing secret</Menu.Item>}
          <Menu.Item onClick={() => setEnabled(disabledAt !== null)}>
            {disabledAt === null ? 'Disable' : 'Enable'}
          </Menu.Item>
          <Menu.Item color="red" onClick={deleteDialog.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookForm opened={isEditing} webhook={webhook} onClose={editDialog.close} onSaved={onChanged} />
      <RotateDialog
        webhook={webhook}
        opened={isRotating}
        onClose={rotateDialog.close}
        onChanged={onChanged}
      />
      <DeleteDialog
        webhook={webhook}
        opened={isDeleting}
        onClose={deleteDialog.close}
        onChanged={onChanged}
      />
    </>
  );
}

type WebhookDialogProps = WebhookActionsProps & { opened: boolean; onClose: () => void };

/**
 * Rotates the signing secret. While the previous secret still signs, another rotation replaces both secrets
 * immediately, and the dialog warns of that.
 */
function RotateDialog({ webhook, onChanged, ...dialogProps }: WebhookDialogProps) {
  const [, rotate] = useMutation(rotateWebhookSecretMutation);
  const [secret, setSecret] = useState<string>();
  const overlapEndsAt = webhook.previousSecretExpiresAt;
  const isOverlapping = overlapEndsAt !== null && Date.parse(overlapEndsAt) > serverNow().getTime();
  const rotateNow = async () => {
    const response = await rotate({ input: { id: webhook.id, ...(isOverlapping && { overlapHours: 0 }) } });
    const result = response.data?.rotateWebhookSecret;
    if (result?.__typename === 'RotateWebhookSecretSuccess') {
      setSecret(result.signingSecret ?? undefined);
      onChanged();
    }
    return getErrorMessage(response);
  };
  const close = () => setSecret(undefined);
  return (
    <>
      <ConfirmDialog
        {...dialogProps}
        title="Rotate the signing secret?"
        confirmLabel={isOverlapping ? 'Replace both secrets now' : 'Create new secret'}
        onConfirm={rotateNow}
      >
        <Text size="sm">
          {isOverlapping ? (
            <>
              The previous secret also signs until <Moment at={overlapEndsAt} />. A new secret replaces both
              immediately: notifications will carry only its signature.
            </>
          ) : (
            'For 24 hours, notifications carry the signatures of both secrets. After that, they carry only the new one.'
          )}
        </Text>
      </ConfirmDialog>
      <Modal opened={secret !== undefined} onClose={close} title="New signing secret" centered>
        <SecretReveal secrets={[{ name: 'Signing secret', value: secret ?? '' }]} onClose={close} />
      </Modal>
    </>
  );
}

function DeleteDialog({ webhook, onChanged, ...dialogProps }: WebhookDialogProps) {
  const remove = useMutationAction(deleteWebhookMutation, onChanged);
  return (
    <ConfirmDialog
      {...dialogProps}
      title="Delete this webhook?"
      confirmLabel="Delete webhook"
      cancelLabel="Keep webhook"
      isDanger
      onConfirm={() => remove({ input: { id: webhook.id } })}
    >
      <Text size="sm">
        {webhook.url} will no longer receive events. Its delivery history stays under Notifications.
      </Text>
    </ConfirmDialog>
  );
}
