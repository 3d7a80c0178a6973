import { Type } from 'typebox';
import { invalidInputError } from '../kit/errors.ts';

// PostgreSQL has no year 0.
const pattern = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/;

/** The creation time filter of lists, parsed by `parseDateRange`. */
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

/** Parses an inclusive range; the end includes its whole second. Throws `invalid_request`. */
export function parseDateRange(query: { startDate?: string; endDate?: string }) {
  return {
    startDate: parseFilterTime(query.startDate, '/startDate', 'start'),
    endDate: parseFilterTime(query.endDate, '/endDate', 'end'),
  };
}

/** Parses `YYYY-MM-DDThh:mm:ss` in UTC, with or without Z. An `end` extends to the last millisecond of its second. */
function parseFilterTime(text: string | undefined, path: string, bound: 'start' | 'end'): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(`${text.replace(/Z$/, '')}${bound === 'end' ? '.999' : '.000'}Z`);
  const isValid =
    pattern.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
  if (!isValid) throw invalidInputError(path, 'must be a UTC time in the form YYYY-MM-DDThh:mm:ss');
  return time;
}
