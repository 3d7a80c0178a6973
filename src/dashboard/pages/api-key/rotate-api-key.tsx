import { Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form, Submit } from '../../parts/form.tsx';
import { HoursChoice, inHours } from '../../parts/hours-choice.tsx';
import { SecretsDialog } from '../../parts/secrets-dialog.tsx';
import type { Secret } from '../../parts/shown-once.tsx';
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
  return (
    <SecretsDialog
      opened={apiKey !== undefined}
      onClose={onClose}
      title="Rotate key"
      madeTitle="The new key"
      onSaved={onRotated}
      form={(onMade) => apiKey && <RotateForm apiKey={apiKey} onRotated={onMade} />}
    />
  );
}

function RotateForm({ apiKey, onRotated }: { apiKey: ApiKeyRow; onRotated: (made: Secret[]) => void }) {
  const [{ fetching }, rotate] = useMutation(rotateApiKeyMutation);
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
