import { Type } from 'typebox';
import { invalidInputError } from '../kit/errors.ts';

// PostgreSQL has no year 0.
const pattern = /^((?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{3})?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;

/** The creation time filter of lists, parsed by `parseDateRange`. */
export const dateRangeQuery = {
  startDate: Type.Optional(
    Type.String({
      description:
        'Returns only objects created at or after this time, in UTC: `YYYY-MM-DDThh:mm:ss`. The formats in which the API returns times are also accepted.',
    }),
  ),
  endDate: Type.Optional(
    Type.String({
      description:
        'Returns only objects created at or before this time, in UTC: `YYYY-MM-DDThh:mm:ss`. The formats in which the API returns times are also accepted.',
    }),
  ),
};

/** Parses an inclusive range. */
export function parseDateRange(query: { startDate?: string; endDate?: string }) {
  return {
    startDate: parseFilterTime(query.startDate, '/startDate', 'start'),
    endDate: parseFilterTime(query.endDate, '/endDate', 'end'),
  };
}

/**
 * Parses an ISO 8601 time, in UTC unless it has an offset, or epoch milliseconds: the formats in which the API returns
 * times. An `end` without milliseconds extends to the last millisecond of its second.
 */
function parseFilterTime(text: string | undefined, path: string, bound: 'start' | 'end'): Date | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{12,15}$/.test(text) ? new Date(Number(text)) : parseIsoTime(text, bound);
  if (time && !Number.isNaN(time.getTime())) return time;
  throw invalidInputError(path, 'must be a UTC time in the form YYYY-MM-DDThh:mm:ss');
}

function parseIsoTime(text: string, bound: 'start' | 'end'): Date | undefined {
  const [, local, milliseconds, offset] = pattern.exec(text) ?? [];
  if (local === undefined) return undefined;
  // JavaScript moves a day that does not exist, such as 30 February, to the next month.
  const localTime = new Date(`${local}Z`);
  if (Number.isNaN(localTime.getTime()) || !localTime.toISOString().startsWith(local)) return undefined;
  return new Date(`${local}${milliseconds ?? (bound === 'end' ? '.999' : '')}${offset ?? 'Z'}`);
}
