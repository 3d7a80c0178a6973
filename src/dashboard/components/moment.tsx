import { formatMoment, type MomentFormat } from '../format/moment.ts';

/** Shows a time in the reader's format and the display time zone; the exact time is in the tooltip. */
export function Moment({ at, format = 'short' }: { at: string; format?: MomentFormat }) {
  const exact = format === 'date' ? at.slice(0, 10) : at;
  return (
    <time dateTime={exact} title={exact} style={format === 'long' ? undefined : { whiteSpace: 'nowrap' }}>
      {/* A long time may wrap, but not before "am" or "pm". */}
      {formatMoment(at, format).replace(/ ([ap]m)$/i, '\u00a0$1')}
    </time>
  );
}
