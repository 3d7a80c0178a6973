import { Button, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { Moment } from '../../components/moment.tsx';
import { SecretReveal } from '../../components/secret-reveal.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { WebhookForm } from './webhook-form.tsx';
import {
  deleteWebhookMutation,
  rotateWebhookSecretMutation,
  sendTestMutation,
  updateWebhookMutation,
  type WebhookRow,
} from './webhooks-query.ts';

type WebhookActionsProps = { webhook: WebhookRow; onChanged: () => void };

/** `onResult` receives a one-line message about the outcome. */
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
    onResult(errorMessage ?? (isEnabled ? t.webhook.webhookEnabledRetryThe : t.webhook.webhookDisabled));
  };
  const sendTestNotification = async () => {
    onResult((await sendTest({ input: { webhookId: id } })) ?? t.webhook.aTestNotificationIs);
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={fillText(t.webhook.actionsFor, { name: webhook.name ?? webhook.url })}
          >
            {t.common.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={sendTestNotification}>{t.webhook.sendTest}</Menu.Item>
          <Menu.Item onClick={editDialog.open}>{t.common.edit}</Menu.Item>
          {isSigned && <Menu.Item onClick={rotateDialog.open}>{t.webhook.rotateSigningSecret}</Menu.Item>}
          <Menu.Item onClick={() => setEnabled(disabledAt !== null)}>
            {disabledAt === null ? t.webhook.disable : t.webhook.enable}
          </Menu.Item>
          <Menu.Item color="red" onClick={deleteDialog.open}>
            {t.webhook.delete}
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
        title={t.webhook.rotateTheSigningSecret}
        confirmLabel={isOverlapping ? t.webhook.replaceBothSecretsNow : t.webhook.rotateSigningSecret}
        onConfirm={rotateNow}
      >
        <Text size="sm">
          {isOverlapping
            ? fillNodes(t.webhook.thePreviousSecretAlso, { moment: <Moment at={overlapEndsAt} /> })
            : t.webhook.for24HoursNotifications}
        </Text>
      </ConfirmDialog>
      <Modal opened={secret !== undefined} onClose={close} title={t.webhook.newSigningSecret} centered>
        <SecretReveal
          secrets={[
            { name: t.webhook.signingSecret, copyLabel: t.webhook.copySigningSecret, value: secret ?? '' },
          ]}
          onClose={close}
        />
      </Modal>
    </>
  );
}

function DeleteDialog({ webhook, onChanged, ...dialogProps }: WebhookDialogProps) {
  const remove = useMutationAction(deleteWebhookMutation, onChanged);
  return (
    <ConfirmDialog
      {...dialogProps}
      title={t.webhook.deleteThisWebhook}
      confirmLabel={t.webhook.deleteWebhook}
      cancelLabel={t.webhook.keepWebhook}
      isDanger
      onConfirm={() => remove({ input: { id: webhook.id } })}
    >
      <Text size="sm">{fillText(t.webhook.willNoLongerReceive, { url: webhook.url })}</Text>
    </ConfirmDialog>
  );
}
