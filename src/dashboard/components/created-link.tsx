import { Button, CopyButton, Group, Stack } from '@mantine/core';
import { CopyText } from './copy-text.tsx';
import { useFocusOnMount } from './use-focus-on-mount.ts';

export function CreatedLink({ url, onClose }: { url: string; onClose: () => void }) {
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <CopyText text={url} label="the link" />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button onClick={copy} ref={button}>
              {copied ? 'Copied' : 'Copy link'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
