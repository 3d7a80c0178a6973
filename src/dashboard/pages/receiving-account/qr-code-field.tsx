import { Button, FileButton, Group, Stack, Text, Textarea, type TextareaProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/texts.ts';

const isPhone = window.matchMedia('(pointer: coarse)').matches;

/**
 * A field for the content of a QR code: from a picture of the printed code, which is decoded in the browser, or pasted.
 * `onHolder` is called with the name in the code.
 */
export function QrCodeField(props: TextareaProps & { onHolder: (holder: string) => void }) {
  const { onHolder, error, ...fieldProps } = props;
  const [code, setCode] = useState('');
  const [pictureError, setPictureError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const readPicture = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    setPictureError(undefined);
    // The decoder is loaded when it is needed.
    const { decodePicture, findPayeeName } = await import('./decode-picture.ts');
    const text = await decodePicture(file);
    setBusy(false);
    if (text === undefined) {
      setPictureError(t.receivingAccount.noQrCodeWas);
      return;
    }
    setCode(text);
    const name = findPayeeName(text);
    if (name !== undefined) onHolder(name);
  };
  return (
    <Stack gap="xs">
      <Textarea
        {...fieldProps}
        error={error ?? pictureError}
        autosize
        minRows={3}
        placeholder="000201…"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Group gap="xs">
        <FileButton accept="image/*" onChange={readPicture}>
          {(buttonProps) => (
            <Button {...buttonProps} variant="default" loading={isBusy}>
              {t.receivingAccount.uploadQrCode}
            </Button>
          )}
        </FileButton>
        {isPhone && (
          <FileButton accept="image/*" capture="environment" onChange={readPicture}>
            {(buttonProps) => (
              <Button {...buttonProps} variant="default" loading={isBusy}>
                {t.receivingAccount.takeAPhoto}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <Text size="xs" c="var(--causeway-muted)">
        {t.receivingAccount.thePictureStaysIn}
      </Text>
    </Stack>
  );
}
