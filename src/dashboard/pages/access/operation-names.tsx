import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';

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
