import { Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { Link } from '../../components/link.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';

/** Names the files that an accountant needs. */
export function AccountantHint() {
  return (
    <Text size="sm" c="var(--causeway-muted)" mb="lg">
      {fillNodes(t.books.sendToYourAccountant, {
        books: <PageLink to="/books">{t.books.books}</PageLink>,
        reconciliation: <PageLink to="/reconciliation">{t.reconciliation.reconciliation}</PageLink>,
        exports: <PageLink to="/exports">{t.common.exports}</PageLink>,
      })}
    </Text>
  );
}

/** Links to a page, unless it is the current one. */
function PageLink({ to, children }: { to: string; children: string }) {
  const [location] = useLocation();
  if (location === to) return children;
  return (
    <Link to={to} underline="always">
      {children}
    </Link>
  );
}
