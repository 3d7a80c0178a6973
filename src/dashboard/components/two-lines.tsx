import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A cell with a main line and a smaller second line, which may be empty. */
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

/** Identifies a row that has no page of its own. */
export function RowName({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" fw={600} span>
      {children}
    </Text>
  );
}
