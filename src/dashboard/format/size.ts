import { t } from '../language/texts.ts';
import { pluralize } from './count.ts';

const units = [t.format.kib, t.format.mib, t.format.gib, t.format.tib] as const;

/** Formats a number of bytes, such as `12 KiB` or `1.5 GiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return pluralize(bytes, t.format.bytes);
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(power === 1 ? 0 : 1)} ${units[power - 1]}`;
}
