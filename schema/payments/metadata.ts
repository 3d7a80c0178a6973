import type { MetadataEntry } from '../../src/domain/platform/metadata.ts';
import { builder } from '../kit/builder.ts';

export const MetadataEntryType = builder.objectRef<MetadataEntry>('MetadataEntry').implement({
  description: 'One key of your own data, with its value.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key, unique in the list.' }),
    value: t.exposeString('value', { description: 'The value of the key.' }),
  }),
});

export const MetadataEntryInput = builder.inputType('MetadataEntryInput', {
  description: 'One key of your own data, with its value.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description:
        'The key: 1 to 40 letters, digits, dots, hyphens and underscores. It must be unique in the list.',
    }),
    value: t.string({ required: true, description: 'The value, at most 500 characters.' }),
  }),
});

/** The options of the input field `metadata`. */
export const metadataInput = {
  type: [MetadataEntryInput] as [typeof MetadataEntryInput],
  description: 'Your own data, at most 20 keys. Notifications, lists and exports include it.',
};

/** The options of the field `metadata`, whose value is stored as a list. */
export const metadataOutput = {
  type: [MetadataEntryType] as [typeof MetadataEntryType],
  nullable: true as const,
  resolve: ({ metadata }: { metadata: unknown }) => (metadata ?? []) as MetadataEntry[],
};

/** Returns the metadata of a stored event, in which it is an object, as a list. */
export function toMetadataEntries(metadata: Record<string, string> | null): MetadataEntry[] | null {
  return metadata && Object.entries(metadata).map(([key, value]) => ({ key, value }));
}
