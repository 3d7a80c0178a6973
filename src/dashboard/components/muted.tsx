import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Secondary text of a row or fact. */
export function Muted({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="var(--causeway-muted)" span>
      {children}
    </Text>
  );
}
