import { Badge } from '@mantine/core';

/** Marks what is fictional. */
export function DemoBadge() {
  return (
    <Badge color="amber" variant="light" flex="none" miw="max-content">
      Demo
    </Badge>
  );
}
