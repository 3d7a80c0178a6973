import type { ReactNode } from 'react';

/**
 * Text in a table cell, such as an email address. If there is room, the column is at least as wide as the longest
 * word.
 */
export function WholeWords({ children }: { children: ReactNode }) {
  return <span style={{ overflowWrap: 'break-word' }}>{children}</span>;
}
