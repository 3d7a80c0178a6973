import type { ReactNode } from 'react';
import { Link } from './link.tsx';

/** Links from an object's page back to its list. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} size="sm">
      ‹ {children}
    </Link>
  );
}
