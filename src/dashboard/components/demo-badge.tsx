import { Badge } from '@mantine/core';

/** Marks fictional accounts and payments. */
export function DemoBadge() {
  return (
    <Badge color="amber" variant="light" flex="none" miw="max-content">
      Demo
    </Badge>
  );
}
