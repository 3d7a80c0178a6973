import { Button, Stack } from '@mantine/core';
import { useMutation } from 'urql';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { Attempts } from './attempts.tsx';
import {
  type NotificationDetails,
  notificationQuery,
  notificationUpdated,
  resendNotificationMutation,
} from './notifications-query.ts';

/** One notification: what it says, to whom, and every try. */
export default function NotificationPage({ id }: { id: string }) {
  const read = useRead(notificationQuery, { id });
  useLive(notificationUpdated, { id }, read.refresh);
  return (
    <Loaded read={read} lines={10}>
      {({ notification }) =>
        notification ? (
          <Details notification={notification} />
        ) : (
          <NoSuch noun="notification" hint="It may be older than 90 days." />
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
        title={isTest ? `${event.message} (test)` : event.message}
        noun="Notification"
        badge={<StatusBadge status={status} />}
        text={<CopyText text={id} what="notification id" />}
      >
        <ResendButton id={id} />
      </PageHeader>
      <Stack gap="lg">
        <Section title="Details">
          <FactsOf notification={notification} />
        </Section>
        <Section title="Attempts">
          <Attempts attempts={attempts} nextAttemptAt={nextAttemptAt} />
        </Section>
        <Section title="Payload">
          <RawText label="Payload as JSON">{JSON.stringify(JSON.parse(event.payload), null, 2)}</RawText>
        </Section>
      </Stack>
    </>
  );
}

/** Whose objects have a page of their own. */
const places: Record<string, string> = { ch: '/charges', re: '/refunds' };

function FactsOf({ notification }: { notification: NotificationDetails }) {
  const { kind, url, event, isTest, createdAt, finishedAt } = notification;
  const place = isTest ? undefined : places[event.objectId.split('_')[0] as string];
  const object = place ? <Link to={`${place}/${event.objectId}`}>{event.objectId}</Link> : event.objectId;
  return (
    <Facts
      facts={[
        ['To', `${kind === 'webhook' ? 'Webhook' : 'Callback'} ${url}`],
        ['Object', object],
        ['webhook-id', <CopyText key="event" text={event.id} what="webhook-id" />],
        ['Event number', event.sequence],
        ['Occurred', <Moment key="happened" at={event.createdAt} form="long" />],
        ['Created', <Moment key="made" at={createdAt} form="long" />],
        ['Finished', finishedAt && <Moment key="ended" at={finishedAt} form="long" />],
      ]}
    />
  );
}

function ResendButton({ id }: { id: string }) {
  const mayManage = useMay('manage');
  const [{ fetching }, resend] = useMutation(resendNotificationMutation);
  const { refusal, take } = useOutcome();
  if (!mayManage) return null;
  return (
    <Stack gap="xs" align="flex-end">
      <Button onClick={async () => take(await resend({ input: { id } }))} loading={fetching}>
        Resend
      </Button>
      <Refused text={refusal} />
    </Stack>
  );
}
