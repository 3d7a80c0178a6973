import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Form, getText } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { type AccountViewer, sendTestNoticeMutation, updateNoticeSettingsMutation } from './account-query.ts';

type NoticeSetting = AccountViewer['noticeSettings'][number];

const topics: { topic: NoticeSetting['topic']; title: string; text: string }[] = [
  { topic: 'payments', title: 'Payments', text: 'A customer has paid.' },
  { topic: 'reviews', title: 'Needs review', text: 'A transfer could not be matched.' },
  { topic: 'endpoints', title: 'Webhooks', text: 'An endpoint fails or works again.' },
  {
    topic: 'accounts',
    title: 'Bank feeds and accounts',
    text: 'A bank feed is silent or fails, or an account runs out of references.',
  },
];

const channels: { channel: NoticeSetting['channel']; label: string }[] = [
  { channel: 'email', label: 'Email' },
  { channel: 'chat', label: 'Chat' },
];

const frequencies: { value: NoticeSetting['frequency']; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'at_once', label: 'At once' },
  { value: 'daily', label: 'Daily at 08:00' },
];

/** Shows what the user is notified about by email and in a chat. */
export function Notices({ me, onChanged }: { me: AccountViewer; onChanged: () => void }) {
  const { noticeSettings, chatHost } = me;
  const [{ fetching }, update] = useMutation(updateNoticeSettingsMutation);
  const formState = useFormState(['chatUrl']);
  const [statusText, setStatusText] = useState('');
  const submit = async (form: FormData) => {
    const settings = noticeSettings.map(({ channel, topic }) => ({
      channel,
      topic,
      frequency: getText(form, `${channel} ${topic}`) as NoticeSetting['frequency'],
    }));
    const chatUrl = getText(form, 'chatUrl');
    const input = { settings, ...(chatUrl !== '' && { chatUrl }) };
    const isSaved = formState.handleResult(await update({ input }));
    setStatusText(isSaved ? 'Notifications saved.' : '');
    if (isSaved) onChanged();
  };
  return (
    <Section title="Notifications">
      <Text size="sm" mb="md">
        What you receive by email and in a chat. Payments and transfers are those of live mode. Daily
        summaries arrive in your business’s time zone.
      </Text>
      {/* The key resets the fields after a change. */}
      <Form state={formState} onSubmit={submit} key={JSON.stringify([noticeSettings, chatHost])}>
        <Stack gap="md">
          {topics.map(({ topic, title, text }) => (
            <TopicRow
              key={topic}
              title={title}
              text={text}
              settings={noticeSettings.filter((setting) => setting.topic === topic)}
            />
          ))}
        </Stack>
        <TextInput
          label="Chat address"
          description={
            chatHost === null
              ? 'The URL of an incoming webhook of Slack, Mattermost, Google Chat or another chat that accepts them.'
              : `Messages go to ${chatHost}. Enter another URL to replace it.`
          }
          name="chatUrl"
          type="url"
          autoComplete="off"
          maw={640}
          placeholder={chatHost === null ? 'https://hooks.slack.com/services/…' : `https://${chatHost}/…`}
          error={formState.fieldErrors.chatUrl}
        />
        <Group gap="sm">
          <Button type="submit" loading={fetching}>
            Save notifications
          </Button>
          {chatHost !== null && <RemoveChat chatHost={chatHost} onRemoved={onChanged} />}
        </Group>
      </Form>
      <Tests hasChat={chatHost !== null} onSent={setStatusText} />
      <Text size="sm" role="status" mt={statusText === '' ? 0 : 'sm'}>
        {statusText}
      </Text>
    </Section>
  );
}

/** Shows a topic with its frequency for each channel. */
function TopicRow(props: { title: string; text: string; settings: readonly NoticeSetting[] }) {
  const { title, text, settings } = props;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" role="group" aria-label={title}>
      <div>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" c="var(--causeway-muted)">
          {text}
        </Text>
      </div>
      <SimpleGrid cols={2} spacing="xs">
        {channels.map(({ channel, label }) => {
          const setting = settings.find((row) => row.channel === channel);
          if (!setting) return null;
          return (
            <Select
              key={channel}
              label={label}
              name={`${channel} ${setting.topic}`}
              allowDeselect={false}
              data={frequencies}
              defaultValue={setting.frequency}
            />
          );
        })}
      </SimpleGrid>
    </SimpleGrid>
  );
}

function RemoveChat({ chatHost, onRemoved }: { chatHost: string; onRemoved: () => void }) {
  const update = useMutationAction(updateNoticeSettingsMutation, onRemoved);
  return (
    <ConfirmButton
      label="Remove chat"
      title="Remove the chat?"
      confirmLabel="Remove chat"
      variant="default"
      onConfirm={() => update({ input: { chatUrl: null } })}
    >
      <Text size="sm">You’ll receive no more messages at {chatHost}.</Text>
    </ConfirmButton>
  );
}

const testTexts: Record<NoticeSetting['channel'], string> = {
  email: 'A test email is on its way. If it doesn’t arrive within a minute, check your spam folder.',
  chat: 'A test message is on its way. If it doesn’t arrive within a minute, check the chat address.',
};

/** Sends a test message by email or to the chat. */
function Tests({ hasChat, onSent }: { hasChat: boolean; onSent: (text: string) => void }) {
  const sendTest = useMutationAction(sendTestNoticeMutation);
  const [error, setError] = useState<string>();
  const send = async (channel: NoticeSetting['channel']) => {
    const errorMessage = await sendTest({ input: { channel } });
    setError(errorMessage);
    onSent(errorMessage === undefined ? testTexts[channel] : '');
  };
  return (
    <Stack gap="xs" mt="md">
      <ErrorAlert text={error} />
      <Group gap="sm">
        <Button variant="default" onClick={() => send('email')}>
          Send test email
        </Button>
        {hasChat && (
          <Button variant="default" onClick={() => send('chat')}>
            Send test to chat
          </Button>
        )}
      </Group>
    </Stack>
  );
}
