import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { formatError, getErrorMessage } from '../../graphql/errors.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { t } from '../../language/texts.ts';
import { type AccountViewer, sendTestNoticeMutation, testNoticeQuery } from './account-query.ts';

type TestChannel = AccountViewer['noticeSettings'][number]['channel'];

const refreshMs = 1_000;

const sentTexts: Record<TestChannel, string> = {
  email: isMailDelivered ? t.account.aTestEmailIs : t.account.theTestEmailWas,
  chat: t.account.theTestMessageArrived,
};
const pendingTexts = { ...sentTexts, chat: t.account.aTestMessageIs };
const failedTexts: Record<TestChannel, string> = {
  email: t.account.theTestEmailFailed,
  chat: t.account.theTestMessageFailed,
};

type NoticeTestsProps = {
  hasChat: boolean;
  /** Called with the reason why the chat did not accept the message; undefined for a new test. */
  onChatError: (text: string | undefined) => void;
};

/** Sends a test message by email or to the chat, and shows the result of its first attempt. */
export function NoticeTests({ hasChat, onChatError }: NoticeTestsProps) {
  const [, sendTest] = useMutation(sendTestNoticeMutation);
  const [test, setTest] = useState<{ channel: TestChannel; id: string }>();
  const [sendError, setSendError] = useState<string>();
  const result = useTestResult(test?.id);
  const send = async (channel: TestChannel) => {
    onChatError(undefined);
    const response = await sendTest({ input: { channel } });
    setSendError(getErrorMessage(response));
    const payload = response.data?.sendTestNotice;
    const isSent = payload?.__typename === 'SendTestNoticeSuccess';
    setTest(isSent ? { channel, id: payload.outboundMessage.id } : undefined);
  };
  const { isPending, error, queryError } = result;
  const failedText = test && error !== null ? fillText(failedTexts[test.channel], { error }) : undefined;
  const isChatError = failedText !== undefined && test?.channel === 'chat';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failed test is reported once.
  useEffect(() => {
    if (isChatError) onChatError(failedText);
  }, [isChatError, test?.id]);
  return (
    <Stack gap="xs" mt="md">
      <ErrorAlert text={sendError ?? queryError ?? (isChatError ? undefined : failedText)} />
      <Group gap="sm">
        <Button variant="default" onClick={() => send('email')}>
          {t.account.sendTestEmail}
        </Button>
        {hasChat && (
          <Button variant="default" onClick={() => send('chat')}>
            {t.account.sendTestToChat}
          </Button>
        )}
      </Group>
      <Text size="sm" role="status">
        {test &&
          (queryError ?? failedText) === undefined &&
          (isPending ? pendingTexts : sentTexts)[test.channel]}
      </Text>
    </Stack>
  );
}

/** Returns the result of the first attempt to send the message. A worker sends it, so the query is repeated. */
function useTestResult(id: string | undefined) {
  const [{ data, error: combinedError, operation }, reload] = useQuery({
    query: testNoticeQuery,
    variables: { id: id ?? '' },
    pause: id === undefined,
    requestPolicy: 'network-only',
  });
  // Until the response arrives, the query has the result of the previous message.
  const message = data?.outboundMessage?.id === id ? data?.outboundMessage : undefined;
  const error = message?.lastError ?? null;
  const isPending = !message || (message.status === 'pending' && error === null);
  const queryError = combinedError && operation?.variables.id === id ? formatError(combinedError) : undefined;
  const isPolled = id !== undefined && isPending && queryError === undefined;
  useInterval(isPolled ? refreshMs : null, () => reload());
  return { isPending, error, queryError };
}
