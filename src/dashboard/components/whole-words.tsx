import type { ReactNode } from 'react';

/**
 * Text in a table row, such as an email address. Its column is at least as wide as its longest word, if there
 * is room.
 */
export function WholeWords({ children }: { children: ReactNode }) {
  return <span style={{ overflowWrap: 'break-word' }}>{children}</span>;
}
