import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A card with a heading. `flush` removes the padding around its content, for example for tables. */
export function Section(props: { title: string; aside?: ReactNode; flush?: boolean; children: ReactNode }) {
  const { title, aside, flush = false, children } = props;
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="lg" bg="var(--causeway-card)">
      <Group justify="space-between" px="lg" pt="md" pb="sm">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      <div style={flush ? undefined : { padding: '0 var(--mantine-spacing-lg) var(--mantine-spacing-lg)' }}>
        {children}
      </div>
    </Paper>
  );
}
