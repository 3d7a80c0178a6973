import { Center, Group, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LanguageSelect } from './language-select.tsx';
import { Logo } from './logo.tsx';

/** A single centered card, for pages outside the shell. */
export function CenteredPage({ children }: { children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} bg="var(--causeway-card)" radius="lg">
        <Stack gap="lg">
          <Group justify="space-between">
            <Logo />
            <LanguageSelect />
          </Group>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
