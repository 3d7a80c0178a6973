import type { ReactNode } from 'react';
import { Link } from './link.tsx';

/** From the page of one object back to the list it is found in. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} size="sm">
      ‹ {children}
    </Link>
  );
}
