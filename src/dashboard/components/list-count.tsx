import { pluralize } from '../format/count.ts';
import type { Plural } from '../language/strings.ts';
import { Muted } from './muted.tsx';

/** Shows the number of objects in a list over all of its pages; renders nothing until it is known. */
export function ListCount({ count, noun }: { count: number | null | undefined; noun: Plural }) {
  return typeof count === 'number' && <Muted>{pluralize(count, noun)}</Muted>;
}
