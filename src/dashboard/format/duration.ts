import { fillText } from '../../language/fill-text.ts';
import { t } from '../language/texts.ts';
import { pluralize } from './count.ts';

/** Formats a duration in seconds, such as `0.2 s`, `45 s`, `3 min` or `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return fillText(t.format.seconds, { seconds: seconds.toFixed(1) });
  if (seconds < 120) return fillText(t.format.seconds, { seconds: Math.round(seconds) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return fillText(t.format.min, { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0
      ? fillText(t.format.h, { hours })
      : fillText(t.format.hMin, { hours, minutes: minutes % 60 });
  return pluralize(Math.round(hours / 24), t.common.dayCount);
}
