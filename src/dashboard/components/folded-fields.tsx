import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/**
 * Fields that are folded until the user opens them or one is invalid. They stay open when the user edits the invalid
 * field, because its error then disappears.
 */
export function FoldedFields(props: {
  title: string;
  hasError: boolean;
  isInitiallyOpen?: boolean;
  children: ReactNode;
}) {
  const { title, hasError, isInitiallyOpen = false, children } = props;
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  return (
    <details open={isOpen || hasError} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Text component="summary" size="sm" fw={500}>
        {title}
      </Text>
      {children}
    </details>
  );
}
