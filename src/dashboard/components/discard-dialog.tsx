import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { t } from '../language/texts.ts';
import { registerDiscardPrompt } from './unsaved-changes.ts';

/** Asks before changes in a form are lost, above any page or dialog. */
export function DiscardDialog() {
  const [opened, setOpened] = useState(false);
  const resolveRef = useRef<(isDiscarded: boolean) => void>(() => {});
  const close = (isDiscarded: boolean) => {
    setOpened(false);
    resolveRef.current(isDiscarded);
  };
  useEffect(
    () =>
      registerDiscardPrompt(() => {
        setOpened(true);
        return new Promise((resolve) => {
          resolveRef.current = resolve;
        });
      }),
    [],
  );
  return (
    <Modal
      opened={opened}
      // Waits for the end of the event of the Escape key, which the dialog beneath receives too.
      onClose={() => setTimeout(close, 0, false)}
      title={t.components.discardChangesTitle}
      zIndex={500}
      centered
    >
      <Stack>
        <Text size="sm">{t.components.whatYouEnteredIs}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => close(false)} data-autofocus>
            {t.components.keepEditing}
          </Button>
          <Button color="red.9" onClick={() => close(true)}>
            {t.components.discardChanges}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
