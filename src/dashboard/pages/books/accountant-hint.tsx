import { Text } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';

/** Names the files that an accountant needs. */
export function AccountantHint() {
  return (
    <Text size="sm" c="var(--causeway-muted)" mb="lg">
      {fillNodes(t.books.sendToYourAccountant, {
        books: (
          <Link to="/books" underline="always">
            {t.books.books}
          </Link>
        ),
        reconciliation: (
          <Link to="/reconciliation" underline="always">
            {t.reconciliation.reconciliation}
          </Link>
        ),
        exports: (
          <Link to="/exports" underline="always">
            {t.common.exports}
          </Link>
        ),
      })}
    </Text>
  );
}
