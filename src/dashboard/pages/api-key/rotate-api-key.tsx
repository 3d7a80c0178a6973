import { Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { HoursChoice, inHours } from '../../parts/hours-choice.tsx';
import { useProvenMutation } from '../../parts/second-factor-proof.tsx';
import { type Secret, ShownOnce } from '../../parts/shown-once.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
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
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const rotated = (made: Secret[]) => {
    setSecrets(made);
    onRotated();
  };
  const done = () => {
    onClose();
    setSecrets([]);
  };
  return (
    <Dialog
      opened={apiKey !== undefined}
      onClose={done}
      title={secrets.length > 0 ? 'The new key' : 'Rotate key'}
    >
      {secrets.length > 0 && <ShownOnce secrets={secrets} onClose={done} />}
      {secrets.length === 0 && apiKey && <RotateForm apiKey={apiKey} onRotated={rotated} />}
    </Dialog>
  );
}

function RotateForm({ apiKey, onRotated }: { apiKey: ApiKeyRow; onRotated: (made: Secret[]) => void }) {
  const [{ fetching }, rotate] = useProvenMutation(rotateApiKeyMutation);
  const [hours, setHours] = useState('24');
  const outcome = useOutcome();
  const submit = async () => {
    const answer = await rotate({ input: { id: apiKey.id, oldWorksUntil: inHours(hours) } });
    if (outcome.take(answer)) onRotated(secretsOf(answer.data));
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">
        A new key takes the place of {apiKey.name} and may do the same. Put it in place while the old one
        still works.
      </Text>
      <HoursChoice label="The old key works" choices={times} hours={hours} onChoose={setHours} />
      <Submit isBusy={fetching}>Make the new key</Submit>
    </Form>
  );
}
