import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
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
  const [{ data, error }, reload] = useQuery({ query: webhooksQuery });
  const [{ fetching }, sendTest] = useMutation(sendTestMutation);
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(notificationsUpdated, {}, refresh);
  const sendAll = async () => {
    const outcome = await sendTest({});
    const result = outcome.data?.sendTestNotification;
    const count = result?.__typename === 'SendTestNotificationSuccess' ? result.notifications.length : 0;
    setSaid(
      refusalOf(outcome) ??
        `${count} test ${count === 1 ? 'notification is' : 'notifications are'} on the way.`,
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
      <WebhookForm opened={opened} onClose={close} onSaved={refresh} />
      <Text size="sm" role="status" mb={said === undefined ? 0 : 'sm'}>
        {said}
      </Text>
      <Loaded data={data} error={error} onRetry={refresh} lines={6}>
        {({ webhooks: { nodes }, alerts }) => (
          <>
            <Alerts alerts={alerts.nodes} onDismissed={refresh} />
            <Section title="All webhooks" flush>
              {nodes.length > 0 ? (
                <WebhookTable webhooks={nodes} onChanged={refresh} onSaid={setSaid} />
              ) : (
                <Empty title="No webhooks yet">Make one, and send it a test.</Empty>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}
