import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { t } from '../language/texts.ts';
import { CopyText } from './copy-text.tsx';
import { useFocusOnMount } from './use-focus-on-mount.ts';

export type Secret = { name: string; copyLabel: string; value: string };

/** Shows new secrets, which cannot be shown again. */
export function SecretReveal({ secrets, onClose }: { secrets: readonly Secret[]; onClose: () => void }) {
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <Alert color="amber" variant="light">
        {t.components.copyThisNowIt}
      </Alert>
      {secrets.map(({ name, copyLabel, value }) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <CopyText text={value} label={copyLabel} />
        </div>
      ))}
      <Group justify="flex-end">
        <Button onClick={onClose} ref={button}>
          {t.common.done}
        </Button>
      </Group>
    </Stack>
  );
}
