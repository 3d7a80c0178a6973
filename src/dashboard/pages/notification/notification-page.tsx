import { Button, Stack } from '@mantine/core';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { getObjectPath } from '../../format/object-path.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { Attempts } from './attempts.tsx';
import {
  type NotificationDetails,
  notificationQuery,
  notificationUpdated,
  resendNotificationMutation,
} from './notifications-query.ts';

export default function NotificationPage({ id }: { id: string }) {
  const query = useCachedQuery(notificationQuery, { id });
  useLiveUpdates(notificationUpdated, { id }, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ notification }) =>
        notification ? (
          <Details notification={notification} />
        ) : (
          <ObjectNotFound title={t.notification.notFound} hint={t.notification.itMayBeOlder} />
        )
      }
    </Loaded>
  );
}

function Details({ notification }: { notification: NotificationDetails }) {
  const { id, status, isTest, event, attempts, nextAttemptAt } = notification;
  return (
    <>
      <BackLink to="/notifications">{t.common.notifications}</BackLink>
      <PageHeader
        title={isTest ? fillText(t.notification.testEvent, { type: event.type }) : event.type}
        objectType={t.notification.notification}
        badge={<StatusBadge status={status} />}
        text={<CopyText text={id} label={t.components.copyId} />}
      >
        <ResendButton id={id} />
      </PageHeader>
      <Stack gap="lg">
        <Section title={t.common.details}>
          <NotificationFacts notification={notification} />
        </Section>
        <Section title={t.notification.attempts}>
          <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
        </Section>
        <Section title={t.notification.payload}>
          <RawText label={t.notification.payloadAsJson}>
            {JSON.stringify(JSON.parse(event.payloadJson), null, 2)}
          </RawText>
        </Section>
      </Stack>
    </>
  );
}

function NotificationFacts({ notification }: { notification: NotificationDetails }) {
  const { kind, url, event, isTest, createdAt, finishedAt } = notification;
  const path = isTest ? undefined : getObjectPath(event.objectId);
  const object = path ? <Link to={path}>{event.objectId}</Link> : event.objectId;
  return (
    <Facts
      facts={[
        [t.notification.toUrl, `${kind === 'webhook' ? t.common.webhook : t.notification.callback} ${url}`],
        [t.notification.object, object],
        ['webhook-id', <CopyText key="event" text={event.id} label={t.notification.copyWebhookId} />],
        [t.notification.eventNumber, event.sequence],
        [t.notification.occurred, <Moment key="occurred" at={event.createdAt} format="long" />],
        [t.common.created, <Moment key="created" at={createdAt} format="long" />],
        [t.notification.finished, finishedAt && <Moment key="ended" at={finishedAt} format="long" />],
      ]}
    />
  );
}

function ResendButton({ id }: { id: string }) {
  const canManage = useHasPermission('manage');
  const [{ fetching }, resend] = useMutation(resendNotificationMutation);
  const { error, handleResult } = useFormState();
  if (!canManage) return null;
  return (
    <Stack gap="xs" align="flex-end">
      <Button onClick={async () => handleResult(await resend({ input: { id } }))} loading={fetching}>
        {t.notification.resend}
      </Button>
      <ErrorAlert text={error} />
    </Stack>
  );
}
