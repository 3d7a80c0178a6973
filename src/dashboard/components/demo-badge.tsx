import { Badge } from '@mantine/core';
import { t } from '../language/texts.ts';

/** Marks fictional accounts and payments. */
export function DemoBadge() {
  return (
    <Badge color="amber" variant="light" flex="none" miw="max-content">
      {t.components.demo}
    </Badge>
  );
}
