import type { ReactNode } from 'react';

/** In a row: text whose column gives way rather than break its words, such as addresses of people; only in need they break. */
export function WholeWords({ children }: { children: ReactNode }) {
  return <span style={{ overflowWrap: 'break-word' }}>{children}</span>;
}
