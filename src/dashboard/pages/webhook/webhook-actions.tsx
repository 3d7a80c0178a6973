import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { WebhookForm } from './webhook-form.tsx';
import {
  deleteWebhookMutation,
  rotateWebhookSecretMutation,
  sendTestMutation,
  updateWebhookMutation,
  type WebhookRow,
} from './webhooks-query.ts';

/** What can be done with a webhook; `onSaid` shows in one line what came of it. */
export function WebhookActions(props: {
  webhook: WebhookRow;
  onChanged: () => void;
  onSaid: (text: string) => void;
}) {
  const { webhook, onChanged, onSaid } = props;
  const { id, disabledAt, signed } = webhook;
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const [, update] = useMutation(updateWebhookMutation);
  const [, sendTest] = useMutation(sendTestMutation);
  const [, rotate] = useMutation(rotateWebhookSecretMutation);

  const turn = async (enabled: boolean) => {
    const refused = refusalOf(await update({ input: { id, enabled } }));
    onSaid(refused ?? (enabled ? 'Switched on. What it missed waits under Notifications.' : 'Switched off.'));
    onChanged();
  };
  const test = async () => {
    onSaid(refusalOf(await sendTest({ webhookId: id })) ?? 'A test notification is on its way.');
  };
  const rotateNow = async () => {
    const outcome = await rotate({ id });
    const result = outcome.data?.rotateWebhookSecret;
    if (result?.__typename === 'RotateWebhookSecretSuccess') setSecret(result.signingSecret ?? undefined);
    else onSaid(refusalOf(outcome) ?? 'It was not rotated.');
    onChanged();
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
          <Menu.Item onClick={edit.open}>Change</Menu.Item>
          {signed && <Menu.Item onClick={rotateNow}>Rotate signing secret</Menu.Item>}
          <Menu.Item onClick={() => turn(disabledAt !== null)}>
            {disabledAt === null ? 'Switch off' : 'Switch on'}
          </Menu.Item>
          <Menu.Item color="red" onClick={remove.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookForm opened={editing} webhook={webhook} onClose={edit.close} onSaved={onChanged} />
      <DeleteDialog webhook={webhook} opened={deleting} onClose={remove.close} onDeleted={onChanged} />
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title="The new signing secret"
        centered
      >
        <Text size="sm" mb="sm">
          For 24 hours notifications carry the signatures of both secrets.
        </Text>
        <ShownOnce
          secrets={[{ name: 'Signing secret', value: secret ?? '' }]}
          onClose={() => setSecret(undefined)}
        />
      </Modal>
    </>
  );
}

function DeleteDialog(props: {
  webhook: WebhookRow;
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { webhook, opened, onClose, onDeleted } = props;
  const [{ fetching }, remove] = useMutation(deleteWebhookMutation);
  const [refusal, setRefusal] = useState<string>();
  const removeNow = async () => {
    const refused = refusalOf(await remove({ id: webhook.id }));
    setRefusal(refused);
    if (refused === undefined) onDeleted();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Delete this webhook?" centered>
      <Stack>
        <Text size="sm">
          {webhook.url} hears of nothing more. What was sent to it stays under Notifications.
        </Text>
        {refusal !== undefined && (
          <Text c="red" size="sm" role="alert">
            {refusal}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red.9" onClick={removeNow} loading={fetching}>
            Delete webhook
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
