import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EndButton } from '../../parts/confirm-button.tsx';
import { useAct } from '../../parts/use-act.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { type ApiKeyRow, revokeApiKeyMutation } from './api-keys-query.ts';

type Props = { apiKey: ApiKeyRow; onChanged: () => void };

/** What an owner does with a key that works. */
export function ApiKeyActions({ apiKey, onChanged, onRotate }: Props & { onRotate: () => void }) {
  const [changing, change] = useDisclosure();
  if (apiKey.status === 'revoked' || apiKey.status === 'expired') return null;
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="compact-sm" variant="default" onClick={change.open}>
        Change
      </Button>
      <ApiKeyForm opened={changing} apiKey={apiKey} onClose={change.close} onSaved={onChanged} />
      {apiKey.replacedById === null && (
        <Button size="compact-sm" variant="default" onClick={onRotate}>
          Rotate
        </Button>
      )}
      <Revoke apiKey={apiKey} onChanged={onChanged} />
    </Group>
  );
}

function Revoke({ apiKey, onChanged }: Props) {
  const revoke = useAct(revokeApiKeyMutation, onChanged);
  return (
    <EndButton
      label="Revoke"
      title="Revoke this key?"
      confirm="Revoke key"
      onConfirm={() => revoke({ input: { id: apiKey.id } })}
    >
      <Text size="sm">{apiKey.name} is refused at once, for good. Whatever still uses it stops working.</Text>
    </EndButton>
  );
}
