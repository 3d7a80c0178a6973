import { Alert, Button, Group, Modal, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { faultsOf, refusalOf } from '../../graphql/refusal.ts';
import { type Secret, ShownOnce } from '../../parts/shown-once.tsx';
import { createWebhookMutation, updateWebhookMutation, type WebhookRow } from './webhooks-query.ts';

/** Those that show what is wrong with them. */
const fields = new Set(['url', 'username', 'password', 'messages', 'concurrency', 'ratePerSecond']);

const versions = [
  { value: '0.8', label: '0.8: completed charges' },
  { value: '0.9', label: '0.9: subscriptions too' },
  { value: '1.0', label: '1.0: everything' },
];

type Props = { opened: boolean; webhook?: WebhookRow; onClose: () => void; onSaved: () => void };

/** The dialog that makes a webhook or changes one, and then shows what secrets were made. */
export function WebhookForm({ opened, webhook, onClose, onSaved }: Props) {
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const close = () => {
    onClose();
    setSecrets([]);
  };
  const saved = (made: Secret[]) => {
    onSaved();
    if (made.length > 0) setSecrets(made);
    else close();
  };
  const title = webhook ? 'Change webhook' : 'New webhook';
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secrets.length > 0 ? 'The webhook is ready' : title}
      centered
    >
      {secrets.length > 0 ? (
        <ShownOnce secrets={secrets} onClose={close} />
      ) : (
        <Form webhook={webhook} onSaved={saved} />
      )}
    </Modal>
  );
}

function Form({ webhook, onSaved }: { webhook: WebhookRow | undefined; onSaved: (made: Secret[]) => void }) {
  const [creating, create] = useMutation(createWebhookMutation);
  const [updating, update] = useMutation(updateWebhookMutation);
  const [version, setVersion] = useState<string | null>(webhook?.version ?? '0.9');
  const [signed, setSigned] = useState(webhook?.signed ?? false);
  const [refusal, setRefusal] = useState<string>();
  const [faults, setFaults] = useState<Record<string, string>>({});

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = { ...readForm(new FormData(event.currentTarget)), version, signed };
    const outcome = webhook ? await update({ input: { id: webhook.id, ...input } }) : await create({ input });
    const wrong = faultsOf(outcome.data);
    setFaults(wrong);
    const isBesideField = Object.keys(wrong).some((field) => fields.has(field));
    const refused = refusalOf(outcome);
    setRefusal(isBesideField ? undefined : refused);
    if (refused === undefined) onSaved(secretsOf(outcome.data));
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        {refusal !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {refusal}
          </Alert>
        )}
        <TextInput
          label="Address"
          name="url"
          type="url"
          placeholder="https://shop.example/webhooks"
          required
          withAsterisk={false}
          defaultValue={webhook?.url}
          error={faults.url}
          data-autofocus
        />
        <Group grow align="flex-start">
          <TextInput
            label="User name"
            name="username"
            required
            withAsterisk={false}
            autoComplete="off"
            defaultValue={webhook?.username}
            error={faults.username}
          />
          <TextInput
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            placeholder={webhook ? 'unchanged' : 'made for you'}
            error={faults.password}
          />
        </Group>
        <Select
          label="Version"
          description="What it hears of"
          allowDeselect={false}
          data={versions}
          value={version}
          onChange={setVersion}
          comboboxProps={{ withinPortal: false }}
        />
        <TextInput
          label="Only these messages"
          name="messages"
          description="Names with commas between them; none: all of its version"
          defaultValue={webhook?.messages.join(', ')}
          error={faults.messages}
        />
        <Group grow align="flex-start">
          <NumberInput
            label="Side by side"
            name="concurrency"
            min={1}
            max={50}
            placeholder="10 a worker"
            defaultValue={webhook?.concurrency ?? ''}
            error={faults.concurrency}
          />
          <NumberInput
            label="Per second"
            name="ratePerSecond"
            min={1}
            max={1000}
            placeholder="no limit"
            defaultValue={webhook?.ratePerSecond ?? ''}
            error={faults.ratePerSecond}
          />
        </Group>
        <Switch
          label="Sign notifications (Standard Webhooks)"
          checked={signed}
          onChange={(event) => setSigned(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={creating.fetching || updating.fetching}>
            {webhook ? 'Save' : 'Make webhook'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function readForm(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  const password = String(form.get('password') ?? '');
  return {
    url: text('url'),
    username: text('username'),
    ...(password && { password }),
    messages: text('messages')
      .split(/[\s,]+/)
      .filter(Boolean),
    concurrency: number('concurrency'),
    ratePerSecond: number('ratePerSecond'),
  };
}

function secretsOf(data: object | null | undefined): Secret[] {
  const [result] = Object.values(data ?? {}) as { password?: string | null; signingSecret?: string | null }[];
  return [
    ...(result?.password ? [{ name: 'Password', value: result.password }] : []),
    ...(result?.signingSecret ? [{ name: 'Signing secret', value: result.signingSecret }] : []),
  ];
}
