import { Type } from 'typebox';
import { parseMetadataQuery } from '../domain/platform/metadata.ts';
import { documentedAs } from './name-components.ts';

/** The metadata of an object, in requests and responses. Generators do not know the keyword `patternProperties`. */
export const metadataSchema = Type.Record(Type.String(), Type.String(), {
  [documentedAs]: {
    title: 'Metadata',
    description:
      'Your own data as names and texts, which notifications, lists and exports include. At most 20 keys of 1 to 40 letters, digits, dots, hyphens and underscores, with values of at most 500 characters.',
    type: 'object',
    additionalProperties: { type: 'string' },
  },
});

/** The filters of lists by the merchant's own data. */
export const metadataQuery = {
  notifyPayload: Type.Optional(
    Type.String({ description: 'Returns only objects with exactly this `notifyPayload`, your reference.' }),
  ),
  metadata: Type.Optional(
    Type.String({
      description:
        'Returns only objects whose metadata has this key with this value, as `key:value`, such as `order:4711`.',
    }),
  ),
};

export function parseMetadataFilterQuery(query: { notifyPayload?: string; metadata?: string }) {
  return {
    notifyPayload: query.notifyPayload,
    metadata: parseMetadataQuery(query.metadata, '/metadata'),
  };
}
