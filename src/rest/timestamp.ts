import { Type } from 'typebox';

/** The query of charge routes; `epoch` returns integer milliseconds instead of ISO 8601. */
export const timestampsQuery = {
  timestamps: Type.Optional(
    Type.Union([Type.Literal('iso'), Type.Literal('epoch')], {
      description:
        'The format of the timestamps in the response: ISO 8601 or epoch milliseconds. Defaults to `iso`.',
    }),
  ),
};

/** Returns the requested timestamp format. */
export function getTimestampFormat({ query }: { query: { timestamps?: 'iso' | 'epoch' } }): {
  epoch: boolean;
} {
  return { epoch: query.timestamps === 'epoch' };
}

export function toTimestamp(time: Date, options: { epoch: boolean }): string | number {
  return options.epoch ? time.getTime() : time.toISOString();
}

/** A time in a response. */
export const timestampSchema = Type.Union([Type.String(), Type.Integer()], {
  description:
    'A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, a number of epoch milliseconds.',
});
