import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { toLogoPng } from './to-logo-png.ts';

/** Chooses a logo, which is saved with the form. `onChange` receives a PNG file in Base64, or null for no logo. */
export function LogoField(props: {
  url: string | null;
  error: string | undefined;
  onChange: (logo: string | null) => void;
}) {
  const [preview, setPreview] = useState(props.url && new URL(props.url).pathname);
  const [readError, setReadError] = useState<string>();
  const choose = async (file: File | null) => {
    if (!file) return;
    try {
      const base64 = await toLogoPng(file);
      setPreview(`data:image/png;base64,${base64}`);
      setReadError(undefined);
      props.onChange(base64);
    } catch {
      setReadError(t.settings.thisFileCantBe);
    }
  };
  const remove = () => {
    setPreview(null);
    props.onChange(null);
  };
  const error = readError ?? props.error;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t.settings.logo}
      </Text>
      <Text size="xs" c="var(--causeway-muted)">
        {t.settings.shownOnCustomerPages}
      </Text>
      <Group gap="sm">
        {preview !== null && (
          <img
            src={preview}
            alt={t.settings.logo}
            style={{ height: 40, maxWidth: 160, objectFit: 'contain', background: '#fff', borderRadius: 8 }}
          />
        )}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={choose}>
          {(buttonProps) => (
            <Button {...buttonProps} variant="default" size="xs">
              {preview === null ? t.settings.uploadLogo : t.settings.replaceLogo}
            </Button>
          )}
        </FileButton>
        {preview !== null && (
          <Button variant="subtle" size="xs" onClick={remove}>
            {t.settings.removeLogo}
          </Button>
        )}
      </Group>
      {error !== undefined && (
        <Text size="sm" c="var(--causeway-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
