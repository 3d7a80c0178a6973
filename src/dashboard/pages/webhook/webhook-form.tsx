import { Group, MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { type EventType, eventTypes, isSubscribedTo } from '../../../event/catalog.ts';
import { Form, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import type { Secret } from '../../components/secret-reveal.tsx';
import { SecretsDialog } from '../../components/secrets-dialog.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { capitalize, formatEvent } from '../../format/labels.ts';
import {
  createWebhookMutation,
  formatVersion,
  updateWebhookMutation,
  type WebhookRow,
  type WebhookVersion,
} from './webhooks-query.ts';

/** The fields that show their own error. */
const fieldPaths = [
  'name',
  'url',
  'username',
  'password',
  'notificationVersion',
  'eventTypes',
  'concurrency',
  'ratePerSecond',
];

const versions = [
  { value: 'v0_8', label: '0.8: completed charges' },
  { value: 'v0_9', label: '0.9: completed charges and subscriptions' },
  { value: 'v1_0', label: '1.0: all events' },
] satisfies { value: WebhookVersion; label: string }[];

/**
 * Returns the event types to choose from, by object: those of the version, and those that are already selected.
 * Their wire names are included, because developers search for them.
 */
function getEventTypeChoices(version: WebhookVersion, selected: readonly EventType[]) {
  const webhook = { version: formatVersion(version), eventTypes: [] };
  const choices = (Object.keys(eventTypes) as EventType[]).filter(
    (type) => selected.includes(type) || isSubscribedTo(webhook, type),
  );
  return [...Map.groupBy(choices, (type) => eventTypes[type].object)].map(([object, types]) => ({
    group: capitalize(object),
    items: types.map((type) => ({ value: type, label: `${formatEvent(type)} (${type})` })),
  }));
}

/** The error if an earlier attempt created the webhook, but its response was lost. */
const lostSecretsText =
  'The webhook was created by an earlier attempt, but its secrets were lost with the response. Close this dialog, then change its password or rotate its signing secret.';

type WebhookFormProps = { opened: boolean; webhook?: WebhookRow; onClose: () => void; onSaved: () => void };

/** Creates or edits a webhook, then shows new secrets. */
export function WebhookForm({ opened, webhook, onClose, onSaved }: WebhookFormProps) {
  return (
    <SecretsDialog
      opened={opened}
      onClose={onClose}
      title={webhook ? 'Edit webhook' : 'New webhook'}
      createdTitle="The webhook is ready"
      onSaved={onSaved}
      form={(onCreated) => <WebhookFields webhook={webhook} onSaved={onCreated} />}
    />
  );
}

function WebhookFields(props: { webhook: WebhookRow | undefined; onSaved: (secrets: Secret[]) => void }) {
  const { webhook, onSaved } = props;
  const [creating, create] = useMutation(createWebhookMutation);
  const [updating, update] = useMutation(updateWebhookMutation);
  const [version, setVersion] = useState<WebhookVersion>(webhook?.notificationVersion ?? 'v1_0');
  const [selectedTypes, setSelectedTypes] = useState<EventType[]>([...(webhook?.eventTypes ?? [])]);
  const [isSigned, setSigned] = useState(webhook?.isSigned ?? false);
  const formState = useFormState(fieldPaths);
  const { getFieldError } = formState;

  const readInput = (form: FormData) => ({
    ...readWebhookFields(form),
    notificationVersion: version,
    eventTypes: selectedTypes,
    isSigned,
  });
  const { getChanges } = useChanges(formState.formRef, readInput);
  const submit = async (form: FormData) => {
    const response = webhook
      ? await update({ input: { id: webhook.id, ...getChanges(form) } })
      : await create({ input: readInput(form) });
    if (!formState.handleResult(response)) return;
    const secrets = getWebhookSecrets(response.data);
    const expectedCount = (getText(form, 'password') === '' ? 1 : 0) + (isSigned ? 1 : 0);
    if (!webhook && secrets.length < expectedCount) formState.setErrors({ error: lostSecretsText });
    else onSaved(secrets);
  };

  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        description="For your team"
        placeholder="Order system"
        maxLength={80}
        defaultValue={webhook?.name ?? ''}
        error={getFieldError('name')}
        data-autofocus
      />
      <TextInput
        label="URL"
        name="url"
        type="url"
        placeholder="https://shop.example/webhooks"
        required
        withAsterisk={false}
        defaultValue={webhook?.url}
        error={getFieldError('url')}
      />
      <Group grow align="flex-start">
        <TextInput
          label="Username"
          name="username"
          required
          withAsterisk={false}
          autoComplete="off"
          defaultValue={webhook?.username ?? 'causeway'}
          error={getFieldError('username')}
        />
        <TextInput
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          placeholder={webhook ? 'Unchanged' : 'Generated automatically'}
          error={getFieldError('password')}
        />
      </Group>
      <Select
        label="Version"
        description="Determines which events are sent"
        allowDeselect={false}
        data={versions}
        value={version}
        onChange={(value) => value && setVersion(value)}
        error={getFieldError('notificationVersion')}
        comboboxProps={{ withinPortal: false }}
      />
      <MultiSelect
        label="Events to send"
        description="Leave empty for all events of the version"
        searchable
        clearable
        data={getEventTypeChoices(version, selectedTypes)}
        value={selectedTypes}
        onChange={setSelectedTypes}
        error={getFieldError('eventTypes')}
        comboboxProps={{ withinPortal: false }}
      />
      <Group grow align="flex-start">
        <NumberInput
          label="Concurrency"
          name="concurrency"
          min={1}
          max={50}
          placeholder="10 per worker"
          defaultValue={webhook?.concurrency ?? ''}
          error={getFieldError('concurrency')}
        />
        <NumberInput
          label="Rate limit (per second)"
          name="ratePerSecond"
          min={1}
          max={1000}
          placeholder="No limit"
          defaultValue={webhook?.ratePerSecond ?? ''}
          error={getFieldError('ratePerSecond')}
        />
      </Group>
      <Switch
        label="Sign notifications (Standard Webhooks)"
        checked={isSigned}
        onChange={(event) => setSigned(event.currentTarget.checked)}
      />
      <SubmitButton isBusy={creating.fetching || updating.fetching}>
        {webhook ? 'Save' : 'Create webhook'}
      </SubmitButton>
    </Form>
  );
}

function readWebhookFields(form: FormData) {
  const password = String(form.get('password') ?? '');
  return {
    name: getText(form, 'name') || null,
    url: getText(form, 'url'),
    username: getText(form, 'username'),
    ...(password && { password }),
    concurrency: getNumber(form, 'concurrency'),
    ratePerSecond: getNumber(form, 'ratePerSecond'),
  };
}

function getWebhookSecrets(data: object | null | undefined): Secret[] {
  const [result] = Object.values(data ?? {}) as { password?: string | null; signingSecret?: string | null }[];
  return [
    ...(result?.password ? [{ name: 'Password', value: result.password }] : []),
    ...(result?.signingSecret ? [{ name: 'Signing secret', value: result.signingSecret }] : []),
  ];
}
