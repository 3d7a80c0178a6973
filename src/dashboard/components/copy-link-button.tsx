import { Button, CopyButton } from '@mantine/core';
import { t } from '../language/texts.ts';
import { CopyIcon } from './icons.tsx';

/** Copies a link that is not shown. `name` is the accessible name, if it says more than the label. */
export function CopyLinkButton({ label, name, url }: { label: string; name?: string; url: string }) {
  return (
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<CopyIcon />}
          onClick={copy}
          aria-label={copied ? undefined : name}
        >
          {copied ? t.common.copied : label}
        </Button>
      )}
    </CopyButton>
  );
}
