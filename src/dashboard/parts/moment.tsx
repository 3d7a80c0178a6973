import { formatMoment } from '../format/moment.ts';

/** A time in the reader's own form and zone; the exact one shows on hover. */
export function Moment({ at, form = 'short' }: { at: string; form?: 'short' | 'long' | 'day' }) {
  return (
    <time dateTime={at} title={at} style={form === 'long' ? undefined : { whiteSpace: 'nowrap' }}>
      {formatMoment(at, form)}
    </time>
  );
}
