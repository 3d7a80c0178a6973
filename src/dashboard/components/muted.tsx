import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands in the second place, of a row or beside a fact. */
export function Muted({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="var(--causeway-muted)" span>
      {children}
    </Text>
  );
}
