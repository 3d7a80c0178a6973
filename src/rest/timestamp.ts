import { Type } from 'typebox';
import { enumSchema } from './inputs.ts';

/** The query parameter of charge routes that selects the format of timestamps. */
export const timestampsQuery = {
  timestamps: Type.Optional(
    enumSchema(
      ['iso', 'epoch'],
      'The format of the timestamps in the response: ISO 8601 (`iso`) or epoch milliseconds (`epoch`). The default is `iso`.',
    ),
  ),
};

/** Returns the requested timestamp format. */
export function getTimestampFormat({ query }: { query: { timestamps?: 'iso' | 'epoch' } }): {
  hasEpochTimes: boolean;
} {
  return { hasEpochTimes: query.timestamps === 'epoch' };
}

export function toTimestamp(time: Date, options: { hasEpochTimes: boolean }): string | number {
  return options.hasEpochTimes ? time.getTime() : time.toISOString();
}

/** A time in a response. */
export const timestampSchema = Type.Union([Type.String(), Type.Integer()], {
  description:
    'A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds.',
});
