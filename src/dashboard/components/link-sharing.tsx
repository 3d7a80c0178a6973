import { Button, CopyButton, Group, Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { t } from '../language/texts.ts';
import classes from './link-qr.module.css';
import { Muted } from './muted.tsx';
import { QrCode } from './qr-code.tsx';

/** Copies a link, and shares it with the apps of the device or, if the browser can’t, by WhatsApp. */
export function LinkButtons(props: {
  url: string;
  title: string;
  copyRef: Ref<HTMLButtonElement>;
  children?: ReactNode;
}) {
  const { url, title, copyRef, children } = props;
  return (
    <Group gap="sm">
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button onClick={copy} ref={copyRef}>
            {copied ? t.common.copied : t.common.copyLink}
          </Button>
        )}
      </CopyButton>
      {'share' in navigator ? (
        <Button
          variant="default"
          onClick={() => {
            // The promise is rejected if the user closes the menu.
            navigator.share({ title, url }).catch(() => undefined);
          }}
        >
          {t.checkoutLink.share}
        </Button>
      ) : (
        <Button
          variant="default"
          component="a"
          href={`https://wa.me/?text=${encodeURIComponent(`${title}\n${url}`)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t.checkoutLink.sendByWhatsApp}
        </Button>
      )}
      {children}
    </Group>
  );
}

/** The QR code of a link, for customers to scan. */
export function LinkCode({ url }: { url: string }) {
  return (
    <Stack align="center" gap="xs">
      <div className={classes.code}>
        <QrCode text={url} label={t.common.qrCodeThatOpens} />
      </div>
      <Muted>{t.checkoutLink.customersScanThisCode}</Muted>
    </Stack>
  );
}
