import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A card with a heading. `isFlush` removes the padding around the content, for example for tables. */
export function Section(props: { title: string; aside?: ReactNode; isFlush?: boolean; children: ReactNode }) {
  const { title, aside, isFlush = false, children } = props;
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="lg" bg="var(--causeway-card)">
      <Group justify="space-between" px="lg" pt="md" pb="sm">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      <div style={isFlush ? undefined : { padding: '0 var(--mantine-spacing-lg) var(--mantine-spacing-lg)' }}>
        {children}
      </div>
    </Paper>
  );
}
