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
import { t } from '../../language/texts.ts';
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
  { value: 'v0_8', label: t.webhook.completedCharges },
  { value: 'v0_9', label: t.webhook.completedChargesAndSubscriptions },
  { value: 'v1_0', label: t.webhook.allEvents },
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
const lostSecretsText = t.webhook.theWebhookWasCreated;

type WebhookFormProps = { opened: boolean; webhook?: WebhookRow; onClose: () => void; onSaved: () => void };

export function WebhookForm({ opened, webhook, onClose, onSaved }: WebhookFormProps) {
  return (
    <SecretsDialog
      opened={opened}
      onClose={onClose}
      title={webhook ? t.webhook.editWebhook : t.webhook.newWebhook}
      createdTitle={t.webhook.theWebhookIsReady}
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
        label={t.common.name}
        name="name"
        description={t.webhook.forYourTeam}
        placeholder={t.webhook.orderSystem}
        maxLength={80}
        defaultValue={webhook?.name ?? ''}
        error={getFieldError('name')}
        data-autofocus
      />
      <TextInput
        label={t.webhook.url}
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
          label={t.webhook.username}
          name="username"
          required
          withAsterisk={false}
          autoComplete="off"
          defaultValue={webhook?.username ?? 'causeway'}
          error={getFieldError('username')}
        />
        <TextInput
          label={t.common.password}
          name="password"
          type="password"
          autoComplete="new-password"
          placeholder={webhook ? t.webhook.unchanged : t.webhook.generatedAutomatically}
          error={getFieldError('password')}
        />
      </Group>
      <Select
        label={t.webhook.version}
        description={t.webhook.determinesWhichEventsAre}
        allowDeselect={false}
        data={versions}
        value={version}
        onChange={(value) => value && setVersion(value)}
        error={getFieldError('notificationVersion')}
        comboboxProps={{ withinPortal: false }}
      />
      <MultiSelect
        label={t.webhook.eventsToSend}
        description={t.webhook.leaveEmptyForAll}
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
          label={t.webhook.concurrency}
          name="concurrency"
          min={1}
          max={50}
          placeholder={t.webhook.perWorker}
          defaultValue={webhook?.concurrency ?? ''}
          error={getFieldError('concurrency')}
        />
        <NumberInput
          label={t.webhook.rateLimitPerSecond}
          name="ratePerSecond"
          min={1}
          max={1000}
          placeholder={t.webhook.noLimit}
          defaultValue={webhook?.ratePerSecond ?? ''}
          error={getFieldError('ratePerSecond')}
        />
      </Group>
      <Switch
        label={t.webhook.signNotificationsStandardWebhooks}
        checked={isSigned}
        onChange={(event) => setSigned(event.currentTarget.checked)}
      />
      <SubmitButton isBusy={creating.fetching || updating.fetching}>
        {webhook ? t.common.save : t.webhook.createWebhook}
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
    ...(result?.password
      ? [{ name: t.common.password, copyLabel: t.components.copyPassword, value: result.password }]
      : []),
    ...(result?.signingSecret
      ? [
          {
            name: t.webhook.signingSecret,
            copyLabel: t.webhook.copySigningSecret,
            value: result.signingSecret,
          },
        ]
      : []),
  ];
}
