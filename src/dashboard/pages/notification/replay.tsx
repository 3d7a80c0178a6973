import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { fieldTime, timeOfField } from '../../format/moment.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { replayNotificationsMutation } from './notifications-query.ts';

const dayMs = 24 * 3_600_000;

/** Sends again what failed, or was skipped, since a time. */
export function ReplayButton({ onReplayed }: { onReplayed: () => void }) {
  const [opened, dialog] = useDisclosure();
  const [{ fetching }, replay] = useMutation(replayNotificationsMutation);
  const [outcome, setOutcome] = useState<{ text: string; isRefusal: boolean }>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const since = timeOfField(String(new FormData(event.currentTarget).get('since')));
    if (!since) return;
    let total = 0;
    for (;;) {
      const answer = await replay({ input: { since: since.toISOString() } });
      const refused = refusalOf(answer);
      const result = answer.data?.replayNotifications;
      if (result?.__typename !== 'ReplayNotificationsSuccess') {
        setOutcome({ text: refused ?? 'Nothing was sent.', isRefusal: true });
        return;
      }
      total += result.replayed;
      if (!result.hasMore) break;
    }
    setOutcome({
      text: total === 1 ? '1 is on its way again.' : `${total} are on their way again.`,
      isRefusal: false,
    });
    onReplayed();
  };
  const close = () => {
    dialog.close();
    setOutcome(undefined);
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Replay
      </Button>
      <Modal opened={opened} onClose={close} title="Replay notifications" centered>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              Sends again everything that failed, or was skipped while its webhook was off. Each carries the
              same webhook-id as before.
            </Text>
            {outcome && (
              <Alert color={outcome.isRefusal ? 'red' : 'teal'} variant="light" role="alert">
                {outcome.text}
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
              <Button variant="default" onClick={close}>
                Close
              </Button>
              <Button type="submit" loading={fetching}>
                Send again
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
