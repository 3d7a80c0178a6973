import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { counted } from '../../format/count.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMay } from '../../viewer.ts';
import { notificationsUpdated } from '../notification/notifications-query.ts';
import { Alerts } from './alerts.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookTable } from './webhook-table.tsx';
import { sendTestMutation, webhooksQuery } from './webhooks-query.ts';

/** Addresses that are told of events, and how they do. */
export default function WebhooksPage() {
  const mayManage = useMay('manage');
  const [opened, { open, close }] = useDisclosure();
  const [said, setSaid] = useState<string>();
  const cursor = useCursor();
  const read = useRead(webhooksQuery, cursor.variables);
  const [{ fetching }, sendTest] = useMutation(sendTestMutation);
  useLive(notificationsUpdated, {}, read.refresh);
  const sendAll = async () => {
    const outcome = await sendTest({ input: {} });
    const result = outcome.data?.sendTestNotification;
    const count = result?.__typename === 'SendTestNotificationSuccess' ? result.notifications.length : 0;
    setSaid(
      refusalOf(outcome) ?? `${counted(count, 'test notification is', 'test notifications are')} on the way.`,
    );
  };
  return (
    <>
      <PageHeader title="Webhooks" text="Addresses of yours that are told when something happens.">
        {mayManage && (
          <>
            <Button variant="default" onClick={sendAll} loading={fetching}>
              Send webhooks
            </Button>
            <Button onClick={open}>New webhook</Button>
          </>
        )}
      </PageHeader>
      <WebhookForm opened={opened} onClose={close} onSaved={read.refresh} />
      <Text size="sm" role="status" mb={said === undefined ? 0 : 'sm'}>
        {said}
      </Text>
      <Loaded read={read} lines={6}>
        {({ webhooks, alerts }) => (
          <>
            <Alerts alerts={alerts.nodes} count={alerts.totalCount} onDismissed={read.refresh} />
            <Section title="All webhooks" flush>
              <Paged
                page={webhooks}
                cursor={cursor}
                empty={<Empty title="No webhooks yet">Make one, and send it a test.</Empty>}
              >
                {(rows) => <WebhookTable webhooks={rows} onChanged={read.refresh} onSaid={setSaid} />}
              </Paged>
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}
