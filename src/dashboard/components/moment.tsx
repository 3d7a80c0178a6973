import { formatMoment, type MomentForm } from '../format/moment.ts';

/** A time in the reader's own form and zone; the exact one shows on hover. */
export function Moment({ at, form = 'short' }: { at: string; form?: MomentForm }) {
  const exact = form === 'date' ? at.slice(0, 10) : at;
  return (
    <time dateTime={exact} title={exact} style={form === 'long' ? undefined : { whiteSpace: 'nowrap' }}>
      {formatMoment(at, form)}
    </time>
  );
}
