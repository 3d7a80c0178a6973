import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty.module.css';

/** Replaces an empty list. The text says why the list is empty and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={4} py="xl" px="md">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text
          c="var(--causeway-muted)"
          size="sm"
          ta="center"
          maw={440}
          component="div"
          className={classes.text}
        >
          {children}
        </Text>
      )}
    </Stack>
  );
}
