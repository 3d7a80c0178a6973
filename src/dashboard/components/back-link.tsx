import type { ReactNode } from 'react';
import { Link } from './link.tsx';

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} size="sm">
      ‹ {children}
    </Link>
  );
}
