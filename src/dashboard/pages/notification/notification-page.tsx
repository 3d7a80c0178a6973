import { Button, Stack } from '@mantine/core';
import { useMutation } from 'urql';
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
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { Attempts } from './attempts.tsx';
import {
  type NotificationDetails,
  notificationQuery,
  notificationUpdated,
  resendNotificationMutation,
} from './notifications-query.ts';

/** Shows a notification with its content, recipient and delivery attempts. */
export default function NotificationPage({ id }: { id: string }) {
  const query = useCachedQuery(notificationQuery, { id });
  useLiveUpdates(notificationUpdated, { id }, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ notification }) =>
        notification ? (
          <Details notification={notification} />
        ) : (
          <ObjectNotFound objectType="notification" hint="It may be older than 90 days." />
        )
      }
    </Loaded>
  );
}

function Details({ notification }: { notification: NotificationDetails }) {
  const { id, status, isTest, event, attempts, nextAttemptAt } = notification;
  return (
    <>
      <BackLink to="/notifications">Notifications</BackLink>
      <PageHeader
        title={isTest ? `${event.type} (test)` : event.type}
        objectType="Notification"
        badge={<StatusBadge status={status} />}
        text={<CopyText text={id} label="notification id" />}
      >
        <ResendButton id={id} />
      </PageHeader>
      <Stack gap="lg">
        <Section title="Details">
          <NotificationFacts notification={notification} />
        </Section>
        <Section title="Attempts">
          <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
        </Section>
        <Section title="Payload">
          <RawText label="Payload as JSON">{JSON.stringify(JSON.parse(event.payloadJson), null, 2)}</RawText>
        </Section>
      </Stack>
    </>
  );
}

/** The path of an object's page by the prefix of its ID. */
const objectPaths: Record<string, string> = { ch: '/charges', re: '/refunds' };

function NotificationFacts({ notification }: { notification: NotificationDetails }) {
  const { kind, url, event, isTest, createdAt, finishedAt } = notification;
  const path = isTest ? undefined : objectPaths[event.objectId.split('_')[0] as string];
  const object = path ? <Link to={`${path}/${event.objectId}`}>{event.objectId}</Link> : event.objectId;
  return (
    <Facts
      facts={[
        ['To', `${kind === 'webhook' ? 'Webhook' : 'Callback'} ${url}`],
        ['Object', object],
        ['webhook-id', <CopyText key="event" text={event.id} label="webhook-id" />],
        ['Event number', event.sequence],
        ['Occurred', <Moment key="occurred" at={event.createdAt} format="long" />],
        ['Created', <Moment key="created" at={createdAt} format="long" />],
        ['Finished', finishedAt && <Moment key="ended" at={finishedAt} format="long" />],
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
        Resend
      </Button>
      <ErrorAlert text={error} />
    </Stack>
  );
}
