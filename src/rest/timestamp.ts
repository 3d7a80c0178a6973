import { Type } from 'typebox';

/** `?timestamps=epoch` on charge endpoints: integer milliseconds instead of ISO 8601. */
export const timestampsQuery = {
  timestamps: Type.Optional(
    Type.Union([Type.Literal('iso'), Type.Literal('epoch')], {
      description: 'Form of the timestamps in the answer',
    }),
  ),
};

export function toTimestamp(at: Date, options: { epoch: boolean }): string | number {
  return options.epoch ? at.getTime() : at.toISOString();
}
