import { invalidInput } from '../kit/errors.ts';

// PostgreSQL knows no year 0.
const form = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/;

/** A filter time `YYYY-MM-DDThh:mm:ss`, UTC; a trailing Z is taken too. `end`: to the end of that second. */
export function parseFilterTime(
  text: string | undefined,
  path: string,
  edge: 'start' | 'end',
): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(`${text.replace(/Z$/, '')}${edge === 'end' ? '.999' : '.000'}Z`);
  const isReal =
    form.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
  if (!isReal) throw invalidInput(path, 'must be a UTC time: YYYY-MM-DDThh:mm:ss');
  return time;
}
