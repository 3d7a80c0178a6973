import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A cell with a main line and a smaller second line, which may be empty. */
export function TwoLines(props: {
  children: ReactNode;
  below: ReactNode;
  isBold?: boolean;
  isEndAligned?: boolean;
}) {
  const { children, below, isBold = false, isEndAligned = false } = props;
  return (
    <Stack gap={0} {...(isEndAligned && { align: 'flex-end' })}>
      <Text size="sm" {...(isBold && { fw: 600 })} span>
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

/** The bold name of a row that has no page of its own to link to. */
export function RowName({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" fw={600} span>
      {children}
    </Text>
  );
}
