import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Lists operations by their GraphQL names. `children` follow the list. */
export function OperationNames(props: { operations: readonly string[]; children?: ReactNode }) {
  return (
    <Group gap="xs">
      {props.operations.map((operation) => (
        <Badge key={operation} variant="light" color="gray" tt="none">
          {operation}
        </Badge>
      ))}
      {props.children}
    </Group>
  );
}
