import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Form, getText } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { MailNotice } from '../../components/mail-notice.tsx';
import { Section } from '../../components/section.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { t } from '../../language/texts.ts';
import { type AccountViewer, updateNoticeSettingsMutation } from './account-query.ts';
import { NoticeTests } from './notice-tests.tsx';

type NoticeSetting = AccountViewer['noticeSettings'][number];

const topics: { topic: NoticeSetting['topic']; title: string; text: string }[] = [
  { topic: 'payments', title: t.common.payments, text: t.account.aCustomerHasPaid },
  { topic: 'reviews', title: t.common.needsReview, text: t.account.aTransferCouldNot },
  { topic: 'endpoints', title: t.common.webhooks, text: t.account.anEndpointFailsOr },
  {
    topic: 'accounts',
    title: t.account.bankFeedsAndAccounts,
    text: t.account.aBankFeedIs,
  },
];

const channels: { channel: NoticeSetting['channel']; label: string }[] = [
  { channel: 'email', label: t.common.email },
  { channel: 'chat', label: t.account.chat },
];

const frequencies: { value: NoticeSetting['frequency']; label: string }[] = [
  { value: 'off', label: t.common.off },
  { value: 'at_once', label: t.account.atOnce },
  { value: 'daily', label: t.account.dailyAt0800 },
];

/** Shows the section to users who follow a link to it, such as that of the setup guide. */
function scrollIfLinked(section: HTMLElement | null): void {
  if (section && window.location.hash === `#${section.id}`) section.scrollIntoView();
}

/** Edits what the user is notified about by email and in a chat. */
export function Notices({ me, onChanged }: { me: AccountViewer; onChanged: () => void }) {
  const { noticeSettings, chatHost } = me;
  const [{ fetching }, update] = useMutation(updateNoticeSettingsMutation);
  const formState = useFormState(['chatUrl']);
  const [isSaved, setSaved] = useState(false);
  // The API returns only the host, and without the URL a user could not find a typing mistake in it.
  const [savedUrl, setSavedUrl] = useState('');
  // Empties the field with the URL when the chat is removed.
  const [removalCount, setRemovalCount] = useState(0);
  const submit = async (form: FormData) => {
    const settings = noticeSettings.map(({ channel, topic }) => ({
      channel,
      topic,
      frequency: getText(form, `${channel} ${topic}`) as NoticeSetting['frequency'],
    }));
    const chatUrl = getText(form, 'chatUrl');
    const input = { settings, ...(chatUrl !== '' && chatUrl !== savedUrl && { chatUrl }) };
    const isAccepted = formState.handleResult(await update({ input }));
    setSaved(isAccepted);
    if (!isAccepted) return;
    if (chatUrl !== '') setSavedUrl(chatUrl);
    onChanged();
  };
  return (
    <div id="notifications" ref={scrollIfLinked}>
      <Section title={t.common.notifications}>
        <Text size="sm" mb="md">
          {t.account.whatYouReceiveBy}
        </Text>
        <MailNotice />
        <Form state={formState} onSubmit={submit}>
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
            key={removalCount}
            label={t.account.chatAddress}
            description={
              <>
                {chatHost === null
                  ? t.account.theUrlOfAn
                  : fillText(t.account.messagesGoToEnter, { chatHost })}{' '}
                <Link to="/help/guides/users#notifications" underline="always">
                  {t.account.howToGetTheUrl}
                </Link>
              </>
            }
            name="chatUrl"
            defaultValue={savedUrl}
            type="url"
            autoComplete="off"
            maw={640}
            placeholder={chatHost === null ? 'https://hooks.slack.com/services/…' : `https://${chatHost}/…`}
            error={formState.fieldErrors.chatUrl}
          />
          <Group gap="sm">
            <Button type="submit" loading={fetching}>
              {t.account.saveNotifications}
            </Button>
            {chatHost !== null && (
              <RemoveChat
                chatHost={chatHost}
                onRemoved={() => {
                  setSavedUrl('');
                  setRemovalCount(removalCount + 1);
                  onChanged();
                }}
              />
            )}
            <Text size="sm" role="status">
              {isSaved && (savedUrl === '' ? t.account.notificationsSaved : t.account.savedTestTheUrl)}
            </Text>
          </Group>
        </Form>
        <NoticeTests
          hasChat={chatHost !== null}
          onChatError={(text) =>
            formState.setErrors({ fieldErrors: text === undefined ? {} : { chatUrl: text } })
          }
        />
      </Section>
    </div>
  );
}

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
              // Resets the field after a change, such as the removal of the chat.
              key={`${channel} ${setting.frequency}`}
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
      label={t.account.removeChat}
      title={t.account.removeTheChat}
      confirmLabel={t.account.removeChat}
      variant="default"
      onConfirm={() => update({ input: { chatUrl: null } })}
    >
      <Text size="sm">{fillText(t.account.youllReceiveNoMore, { chatHost })}</Text>
    </ConfirmButton>
  );
}
