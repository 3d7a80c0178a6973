import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { dayMs } from '../../../kit/duration.ts';
import { fieldTime, timeOfField } from '../../format/moment.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { replayNotificationsMutation } from './notifications-query.ts';

/** Sends again what failed, or was skipped, since a time. */
export function ReplayButton({ onReplayed }: { onReplayed: () => void }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Replay
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title="Replay notifications">
        <ReplayForm onReplayed={onReplayed} onClose={dialog.close} />
      </Dialog>
    </>
  );
}

function ReplayForm({ onReplayed, onClose }: { onReplayed: () => void; onClose: () => void }) {
  const [{ fetching }, replay] = useMutation(replayNotificationsMutation);
  const outcome = useOutcome();
  const [replayed, setReplayed] = useState<number>();
  const submit = async (form: FormData) => {
    setReplayed(undefined);
    const since = timeOfField(String(form.get('since')));
    if (!since) return;
    let total = 0;
    for (let hasMore = true; hasMore; ) {
      const answer = await replay({ input: { since: since.toISOString() } });
      outcome.take(answer);
      const result = answer.data?.replayNotifications;
      if (result?.__typename !== 'ReplayNotificationsSuccess') return;
      total += result.replayed;
      hasMore = result.hasMore;
    }
    setReplayed(total);
    onReplayed();
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">
        Sends again everything that failed, or was skipped while its webhook was off. Each carries the same
        webhook-id as before.
      </Text>
      {replayed !== undefined && (
        <Alert color="teal" variant="light" role="status">
          {replayed === 1 ? '1 is on its way again.' : `${replayed} are on their way again.`}
        </Alert>
      )}
      <TextInput
        label="Since"
        name="since"
        type="datetime-local"
        required
        withAsterisk={false}
        defaultValue={fieldTime(new Date(serverNow().getTime() - dayMs))}
        data-autofocus
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} disabled={fetching}>
          Close
        </Button>
        <Button type="submit" loading={fetching}>
          Send again
        </Button>
      </Group>
    </Form>
  );
}
