import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { Refused } from '../../parts/refused.tsx';
import { type Secret, ShownOnce } from '../../parts/shown-once.tsx';
import { secretsOf } from './api-key-form.tsx';
import { type ApiKeyRow, rotateApiKeyMutation } from './api-keys-query.ts';

const times = [
  { value: '0', label: 'Not any more' },
  { value: '1', label: 'For another hour' },
  { value: '24', label: 'For another day' },
  { value: '168', label: 'For another week' },
  { value: '720', label: 'For another 30 days' },
];

/**
 * The dialog that replaces a key, and then shows the new one's secret this once. It belongs to the page: the row it was
 * opened from may leave the list while the secret is still to be copied.
 */
export function RotateApiKey(props: {
  apiKey: ApiKeyRow | undefined;
  onClose: () => void;
  onRotated: () => void;
}) {
  const { apiKey, onClose, onRotated } = props;
  const [{ fetching }, rotate] = useMutation(rotateApiKeyMutation);
  const [hours, setHours] = useState<string | null>('24');
  const [refusal, setRefusal] = useState<string>();
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const rotateNow = async () => {
    if (!apiKey) return;
    const until = new Date(Date.now() + Number(hours) * 3_600_000);
    const outcome = await rotate({ input: { id: apiKey.id, oldWorksUntil: until.toISOString() } });
    const refused = refusalOf(outcome);
    setRefusal(refused);
    if (refused !== undefined) return;
    setSecrets(secretsOf(outcome.data));
    onRotated();
  };
  const done = () => {
    onClose();
    setSecrets([]);
    setRefusal(undefined);
  };
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={done}
      title={secrets.length > 0 ? 'The new key' : 'Rotate key'}
      centered
    >
      {secrets.length > 0 ? (
        <ShownOnce secrets={secrets} onClose={done} />
      ) : (
        <Stack>
          <Text size="sm">
            A new key takes the place of {apiKey?.name} and may do the same. Put it in place while the old one
            still works.
          </Text>
          <Refused text={refusal} />
          <Select
            label="The old key works"
            allowDeselect={false}
            data={times}
            value={hours}
            onChange={setHours}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button onClick={rotateNow} loading={fetching}>
              Make the new key
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
