import { Button, CopyButton, Group, Stack } from '@mantine/core';
import { t } from '../language/texts.ts';
import { CopyText } from './copy-text.tsx';
import { useFocusOnMount } from './use-focus-on-mount.ts';

export function CreatedLink({ url, onClose }: { url: string; onClose: () => void }) {
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <CopyText text={url} label={t.components.copyUrl} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t.common.done}
        </Button>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button onClick={copy} ref={button}>
              {copied ? t.common.copied : t.common.copyLink}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
