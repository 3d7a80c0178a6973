import { Button, Center, Stack, Text } from '@mantine/core';
import { t } from '../language/texts.ts';

/** Replaces a page that cannot be shown. Reloading may help, or load a newer version. */
export function ErrorPage({ title, text }: { title: string; text: string }) {
  return (
    <Center mih="50dvh" p="md">
      <Stack align="center" gap="sm" maw={440} role="alert">
        <Text fw={600} size="lg">
          {title}
        </Text>
        <Text size="sm" ta="center" c="var(--causeway-muted)">
          {text}
        </Text>
        <Button onClick={() => window.location.reload()}>{t.shell.reload}</Button>
      </Stack>
    </Center>
  );
}
