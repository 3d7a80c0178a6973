import { fillNodes } from '../language/fill-nodes.tsx';
import { t } from '../language/texts.ts';
import { Moment } from './moment.tsx';
import { Muted } from './muted.tsx';

/** Shows the time of totals that a standby of the database provides; renders nothing for current totals. */
export function DataAge({ at }: { at: string | null }) {
  if (at === null) return null;
  return <Muted>{fillNodes(t.components.figuresAsOf, { moment: <Moment at={at} format="long" /> })}</Muted>;
}
