import { formatMoment, type MomentFormat } from '../format/moment.ts';

/** A time in the reader's own form and zone; the exact one shows on hover. */
export function Moment({ at, format = 'short' }: { at: string; format?: MomentFormat }) {
  const exact = format === 'date' ? at.slice(0, 10) : at;
  return (
    <time dateTime={exact} title={exact} style={format === 'long' ? undefined : { whiteSpace: 'nowrap' }}>
      {formatMoment(at, format)}
    </time>
  );
}
