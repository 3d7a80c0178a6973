import { Button, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConfirmDialog } from '../../components/confirm-button.tsx';
import { Moment } from '../../components/moment.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { useAct } from '../../components/use-act.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { WebhookForm } from './webhook-form.tsx';
import {
  deleteWebhookMutation,
  rotateWebhookSecretMutation,
  sendTestMutation,
  updateWebhookMutation,
  type WebhookRow,
} from './webhooks-query.ts';

type Props = { webhook: WebhookRow; onChanged: () => void };

/** What can be done with a webhook; `onSaid` shows in one line what came of it. */
export function WebhookActions({ webhook, onChanged, onSaid }: Props & { onSaid: (text: string) => void }) {
  const { id, disabledAt, signed } = webhook;
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const [rotating, rotate] = useDisclosure();
  const update = useAct(updateWebhookMutation, onChanged);
  const sendTest = useAct(sendTestMutation);

  const turn = async (enabled: boolean) => {
    const refused = await update({ input: { id, enabled } });
    onSaid(
      refused ??
        (enabled
          ? 'Webhook enabled. Retry the notifications it missed under Notifications.'
          : 'Webhook disabled.'),
    );
  };
  const test = async () => {
    onSaid((await sendTest({ input: { webhookId: id } })) ?? 'A test notification is on its way.');
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="compact-sm" variant="default" aria-label={`Actions for ${webhook.url}`}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={test}>Send test</Menu.Item>
          <Menu.Item onClick={edit.open}>Edit</Menu.Item>
          {signed && <Menu.Item onClick={rotate.open}>Rotate signing secret</Menu.Item>}
          <Menu.Item onClick={() => turn(disabledAt !== null)}>
            {disabledAt === null ? 'Disable' : 'Enable'}
          </Menu.Item>
          <Menu.Item color="red" onClick={remove.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookForm opened={editing} webhook={webhook} onClose={edit.close} onSaved={onChanged} />
      <RotateDialog webhook={webhook} opened={rotating} onClose={rotate.close} onChanged={onChanged} />
      <DeleteDialog webhook={webhook} opened={deleting} onClose={remove.close} onChanged={onChanged} />
    </>
  );
}

type DialogProps = Props & { opened: boolean; onClose: () => void };

/** While an earlier secret signs too, a new one takes the place of both at once: nobody is promised less unasked. */
function RotateDialog({ webhook, onChanged, ...dialog }: DialogProps) {
  const [, rotate] = useMutation(rotateWebhookSecretMutation);
  const [secret, setSecret] = useState<string>();
  const until = webhook.lastSecretSignsUntil;
  const overlaps = until !== null && Date.parse(until) > serverNow().getTime();
  const rotateNow = async () => {
    const outcome = await rotate({ input: { id: webhook.id, ...(overlaps && { overlapHours: 0 }) } });
    const result = outcome.data?.rotateWebhookSecret;
    if (result?.__typename === 'RotateWebhookSecretSuccess') {
      setSecret(result.signingSecret ?? undefined);
      onChanged();
    }
    return refusalOf(outcome);
  };
  const close = () => setSecret(undefined);
  return (
    <>
      <ConfirmDialog
        {...dialog}
        title="Rotate the signing secret?"
        confirm={overlaps ? 'Replace both secrets now' : 'Create new secret'}
        onConfirm={rotateNow}
      >
        <Text size="sm">
          {overlaps ? (
            <>
              The previous secret also signs until <Moment at={until} />. A new secret replaces both
              immediately: notifications will carry only its signature.
            </>
          ) : (
            'For 24 hours, notifications carry the signatures of both secrets. After that, they carry only the new one.'
          )}
        </Text>
      </ConfirmDialog>
      <Modal opened={secret !== undefined} onClose={close} title="New signing secret" centered>
        <ShownOnce secrets={[{ name: 'Signing secret', value: secret ?? '' }]} onClose={close} />
      </Modal>
    </>
  );
}

function DeleteDialog({ webhook, onChanged, ...dialog }: DialogProps) {
  const remove = useAct(deleteWebhookMutation, onChanged);
  return (
    <ConfirmDialog
      {...dialog}
      title="Delete this webhook?"
      confirm="Delete webhook"
      keep="Keep webhook"
      isDanger
      onConfirm={() => remove({ input: { id: webhook.id } })}
    >
      <Text size="sm">
        {webhook.url} will no longer receive events. Its delivery history stays under Notifications.
      </Text>
    </ConfirmDialog>
  );
}
