import { Button, type ButtonProps, CopyButton, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from '../language/texts.ts';
import classes from './link-qr.module.css';
import { QrCode } from './qr-code.tsx';

export function ShareLink({ url, size = 'compact-sm' }: { url: string; size?: ButtonProps['size'] }) {
  return (
    <>
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button size={size} variant="light" onClick={copy}>
            {copied ? t.common.copied : t.common.copy}
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
        {t.components.openLink}
      </Button>
      <LinkQr url={url} size={size} />
    </>
  );
}

/** Merchants display the QR code at a counter, or print it. */
function LinkQr({ url, size }: { url: string; size: NonNullable<ButtonProps['size']> }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button size={size} variant="default" onClick={dialog.open}>
        {t.components.qr}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.components.qrCodeOfThe} centered>
        <Stack align="center">
          <div className={classes.code}>
            <QrCode text={url} label={t.common.qrCodeThatOpens} />
          </div>
          <Text size="sm" ta="center">
            {t.components.displayOrPrintThis}
          </Text>
        </Stack>
      </Modal>
    </>
  );
}
