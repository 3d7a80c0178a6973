import { Type } from 'typebox';
import { invalidInput } from '../kit/errors.ts';

// PostgreSQL knows no year 0.
const pattern = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/;

/** Parameters of a list: when what is listed was made. `parseSpan` reads them. */
export const dateRangeQuery = {
  startDate: Type.Optional(
    Type.String({
      description: 'Returns only objects created at or after this time, in UTC: `YYYY-MM-DDThh:mm:ss`.',
    }),
  ),
  endDate: Type.Optional(
    Type.String({
      description: 'Returns only objects created at or before this time, in UTC: `YYYY-MM-DDThh:mm:ss`.',
    }),
  ),
};

/** Both ends included, the later one to the end of its second. Error: `invalid_request`. */
export function parseDateRange(query: { startDate?: string; endDate?: string }) {
  return {
    startDate: parseFilterTime(query.startDate, '/startDate', 'start'),
    endDate: parseFilterTime(query.endDate, '/endDate', 'end'),
  };
}

/** A filter time `YYYY-MM-DDThh:mm:ss`, UTC; a trailing Z is taken too. `end`: to the end of that second. */
function parseFilterTime(text: string | undefined, path: string, bound: 'start' | 'end'): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(`${text.replace(/Z$/, '')}${bound === 'end' ? '.999' : '.000'}Z`);
  const isReal =
    pattern.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
  if (!isReal) throw invalidInput(path, 'must be a UTC time in the form YYYY-MM-DDThh:mm:ss');
  return time;
}
