import { Type } from 'typebox';
import { enumSchema } from './inputs.ts';
import { documentedAs } from './name-components.ts';

/** The query parameter of charge routes that selects the format of timestamps. */
export const timestampsQuery = {
  timestamps: Type.Optional(
    enumSchema(
      ['iso', 'epoch'],
      'The format of the timestamps in the response: ISO 8601 (`iso`) or epoch milliseconds (`epoch`). The default is `iso`.',
    ),
  ),
};

export function getTimestampFormat({ query }: { query: { timestamps?: 'iso' | 'epoch' } }): {
  usesEpochTimestamps: boolean;
} {
  return { usesEpochTimestamps: query.timestamps === 'epoch' };
}

export function toTimestamp(time: Date, options: { usesEpochTimestamps: boolean }): string | number {
  return options.usesEpochTimestamps ? time.getTime() : time.toISOString();
}

/** A time in a response, in ISO 8601 format. */
export const isoTimeSchema = (description: string) => Type.String({ format: 'date-time', description });

/**
 * A time in a response of a route with `timestampsQuery`. The OpenAPI document describes the default format only, as
 * generated clients cannot have types that depend on a parameter.
 */
export const timestampSchema = (description: string) =>
  Type.Union([Type.String(), Type.Integer()], { [documentedAs]: isoTimeSchema(description) });
