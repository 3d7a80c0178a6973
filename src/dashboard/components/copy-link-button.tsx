import { Button, CopyButton } from '@mantine/core';
import { t } from '../language/texts.ts';
import { CopyIcon } from './icons.tsx';

/** Copies a link that is not shown. */
export function CopyLinkButton({ label, url }: { label: string; url: string }) {
  return (
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button size="compact-sm" variant="default" leftSection={<CopyIcon />} onClick={copy}>
          {copied ? t.common.copied : label}
        </Button>
      )}
    </CopyButton>
  );
}
