import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A cell of two lines: what it is, and below it, smaller, what else is to know of it; that may be nothing. */
export function TwoLines(props: {
  children: ReactNode;
  below: ReactNode;
  isName?: boolean;
  atEnd?: boolean;
}) {
  const { children, below, isName = false, atEnd = false } = props;
  return (
    <Stack gap={0} {...(atEnd && { align: 'flex-end' })}>
      <Text size="sm" {...(isName && { fw: 600 })} span>
        {children}
      </Text>
      {below !== null && (
        <Text size="xs" c="var(--causeway-muted)" span>
          {below}
        </Text>
      )}
    </Stack>
  );
}

/** What a line of a list is known by, where it has no page of its own. */
export function RowName({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" fw={600} span>
      {children}
    </Text>
  );
}
