import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
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
  const [{ fetching }, revoke] = useMutation(revokeApiKeyMutation);
  const [opened, { open, close }] = useDisclosure();
  const [refusal, setRefusal] = useState<string>();
  const revokeNow = async () => {
    const refused = refusalOf(await revoke({ id: apiKey.id }));
    setRefusal(refused);
    if (refused !== undefined) return;
    close();
    onChanged();
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
        Revoke
      </Button>
      <Modal opened={opened} onClose={close} title="Revoke this key?" centered>
        <Stack>
          <Text size="sm">
            {apiKey.name} is refused at once, for good. Whatever still uses it stops working.
          </Text>
          {refusal !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {refusal}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button color="red.9" onClick={revokeNow} loading={fetching}>
              Revoke key
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
