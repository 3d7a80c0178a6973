import { Box, Stack, Tabs, Text } from '@mantine/core';
import { useMemo } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { cspNonce } from '../../csp-nonce.ts';
import { formatLanguage } from '../../format/labels.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import classes from './mail-frame.module.css';
import { formatChannel, formatMessageKind, type MessageDetails, messageQuery } from './message-query.ts';

/** The content is shown only if it is stored and the user may read it. */
export default function MessagePage({ id }: { id: string }) {
  const query = useCachedQuery(messageQuery, { id });
  return (
    <>
      <BackLink to="/mailbox">{t.message.sentMessages}</BackLink>
      <Loaded query={query} lines={8}>
        {({ outboundMessage }) =>
          outboundMessage ? (
            <Details message={outboundMessage} refresh={query.refresh} />
          ) : (
            <ObjectNotFound title={t.message.notFound} hint={t.message.itMayBeOlder} />
          )
        }
      </Loaded>
    </>
  );
}

function Details({ message, refresh }: { message: MessageDetails; refresh: () => void }) {
  const { subject, kind, status, channel } = message;
  return (
    <>
      <PageHeader
        title={subject ?? formatMessageKind(kind)}
        objectType={t.message.message}
        badge={<StatusBadge status={status} />}
        text={<CopyText text={message.id} label={t.components.copyId} />}
      />
      <Stack gap="lg">
        <Section title={t.common.details}>
          <Facts
            facts={[
              [t.message.toRecipient, message.recipient],
              [t.message.channel, formatChannel(channel)],
              [t.common.type, formatMessageKind(kind)],
              [t.message.language, formatLanguage(message.locale)],
              [t.common.created, <Moment key="created" at={message.createdAt} format="long" />],
              [
                finishedTexts[status] ?? t.common.sent,
                message.finishedAt && <Moment key="finished" at={message.finishedAt} format="long" />,
              ],
              [t.message.attempts, message.attemptCount > 0 && String(message.attemptCount)],
              [status === 'skipped' ? t.common.reason : t.message.lastError, message.lastError],
              [
                t.message.nextAttempt,
                message.nextAttemptAt && <Moment key="next" at={message.nextAttemptAt} format="long" />,
              ],
            ]}
          />
        </Section>
        <Section title={t.message.content} isFlush={message.html !== null}>
          <Content message={message} refresh={refresh} />
        </Section>
      </Stack>
    </>
  );
}

const finishedTexts: Partial<Record<MessageDetails['status'], string>> = {
  captured: t.message.stored,
  failed: t.common.failed,
  skipped: t.message.skipped,
};

const contentTexts: Partial<Record<MessageDetails['status'], string>> = {
  pending: t.message.thisMessageIsBeing,
  skipped: t.message.thisMessageWasNot,
};

function Content({ message, refresh }: { message: MessageDetails; refresh: () => void }) {
  const { text, html, subject, kind, status } = message;
  const canRefund = useHasPermission('refund');
  if (text === null && status === 'captured')
    return canRefund || kind !== 'refund_link' ? (
      <Stack align="flex-start" gap="xs">
        <Text size="sm" c="var(--causeway-muted)">
          {t.message.aMessageCanGrant}
        </Text>
        <ReauthenticateButton label={t.message.showMessage} onReauthenticated={refresh} />
      </Stack>
    ) : (
      <Text c="var(--causeway-muted)">{t.message.theLinkInThis}</Text>
    );
  if (text === null)
    return <Text c="var(--causeway-muted)">{contentTexts[status] ?? t.message.thisMessagesContentIs}</Text>;
  if (html === null) return <PlainText text={text} />;
  return (
    <Tabs defaultValue="html" keepMounted={false}>
      <Tabs.List px="lg">
        <Tabs.Tab value="html">{t.common.preview}</Tabs.Tab>
        <Tabs.Tab value="text">{t.message.plainText}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="html">
        <MailFrame html={html} title={subject ?? formatMessageKind(kind)} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <Box p="lg">
          <PlainText text={text} />
        </Box>
      </Tabs.Panel>
    </Tabs>
  );
}

function PlainText({ text }: { text: string }) {
  return (
    <Text
      component="pre"
      m={0}
      ff="monospace"
      size="sm"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text}
    </Text>
  );
}

/**
 * Shows an email in a frame without scripts, forms or an origin. The frame inherits this page's content security
 * policy, so the email loads nothing and its style element needs this page's nonce. Links open in a new tab.
 */
function MailFrame({ html, title }: { html: string; title: string }) {
  const frameHtml = useMemo(
    () =>
      html
        .replace('<style>', `<style nonce="${cspNonce}">`)
        .replaceAll('<a href=', '<a target="_blank" rel="noopener noreferrer" href='),
    [html],
  );
  return (
    <iframe
      className={classes.frame}
      title={title}
      srcDoc={frameHtml}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  );
}
