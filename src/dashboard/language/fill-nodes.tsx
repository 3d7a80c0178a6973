import { Fragment, type ReactNode } from 'react';
import { requireValue, splitPlaceholders } from '../../language/fill-text.ts';

/** Fills the `{placeholders}` of a text with elements, such as links. */
export function fillNodes(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  return splitPlaceholders(text).map((part, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order.
    i % 2 === 0 ? part : <Fragment key={i}>{requireValue(values, part)}</Fragment>,
  );
}
