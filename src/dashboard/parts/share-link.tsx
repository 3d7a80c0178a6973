import { Button, type ButtonProps, CopyButton } from '@mantine/core';
import { LinkQr } from './link-qr.tsx';

/** What one does with an address for customers: copy it, open it, show it as a code. */
export function ShareLink({ url, size = 'compact-sm' }: { url: string; size?: ButtonProps['size'] }) {
  return (
    <>
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button size={size} variant="light" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button
        size={size}
        variant="default"
        component="a"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
      >
        Open
      </Button>
      <LinkQr url={url} size={size} />
    </>
  );
}
