import type { InputRef } from '@pothos/core';
import {
  checkMetadataFilter,
  type MetadataEntry,
  type MetadataFilter,
} from '../src/domain/platform/metadata.ts';
import { parseNotifyPayload } from '../src/domain/platform/notify-payload.ts';
import { checkText } from '../src/kit/text.ts';
import type { ExtendedTypes } from './kit/builder.ts';
import { MetadataEntryInput } from './payments/metadata.ts';

type FilterFieldBuilder = PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>;

/** Returns the `filter` argument of a list. `objects` is the plural noun of the list. */
export const filterArg = <Input extends InputRef>(type: Input, objects = 'objects') => ({
  type,
  description: `The conditions that the returned ${objects} must meet. If omitted, all ${objects} are returned.`,
});

/**
 * Returns the fields of a creation time filter, which `parseCreatedBetween` parses. `objects` is the plural noun
 * of the list.
 */
export const createdBetweenFields = (t: FilterFieldBuilder, objects: string) => ({
  createdFrom: t.field({
    type: 'DateTime',
    description: `Returns only ${objects} created at or after this time.`,
  }),
  createdTo: t.field({
    type: 'DateTime',
    description: `Returns only ${objects} created at or before this time. A time without milliseconds includes that entire second.`,
  }),
});

/**
 * Returns the fields of a customer filter, which `parseCustomerFilter` parses. `objects` is the plural noun of the
 * list.
 */
export const customerFilterFields = (t: FilterFieldBuilder, objects: string) => ({
  customerEmail: t.string({
    description: `Returns only ${objects} of the customer with this email address. Provide the complete address; letter case is ignored.`,
  }),
  customerPhone: t.string({
    description: `Returns only ${objects} of customers with this phone number. Provide all digits, including the country calling code. The filter is ignored if \`customerEmail\` is set.`,
  }),
});

/**
 * Returns the fields of a filter by the merchant's own data, which `parseMetadataFilter` parses. `objects` is
 * the plural noun of the list.
 */
export const metadataFilterFields = (t: FilterFieldBuilder, objects: string) => ({
  notifyPayload: t.string({
    description: `Returns only ${objects} with exactly this \`notifyPayload\`, your reference.`,
  }),
  metadata: t.field({
    type: MetadataEntryInput,
    description: `Returns only ${objects} whose metadata has this key with this value.`,
  }),
});

type Nullish<Value> = Value | null | undefined;

/**
 * Returns the condition of a list filter. An empty list has no condition; one value is an equality, which indexes
 * serve best.
 */
export function inList<Value>(values: Nullish<readonly Value[]>): Value | { in: Value[] } | undefined {
  const [first] = values ?? [];
  if (!values || first === undefined) return undefined;
  return values.length === 1 ? first : { in: [...values] };
}

/** Returns the creation time range of a filter. */
export function parseCreatedBetween(
  filter: Nullish<{ createdFrom?: Nullish<Date>; createdTo?: Nullish<Date> }>,
) {
  const { createdFrom, createdTo } = filter ?? {};
  return {
    startDate: createdFrom ?? undefined,
    endDate: createdTo ? toEndOfSecond(createdTo) : undefined,
  };
}

export function parseCustomerFilter(
  filter: Nullish<{ customerEmail?: Nullish<string>; customerPhone?: Nullish<string> }>,
) {
  return {
    customerEmail: parseEmailFilter(filter?.customerEmail, '/filter/customerEmail'),
    customerPhone: parsePhoneFilter(filter?.customerPhone, '/filter/customerPhone'),
  };
}

export function parseEmailFilter(text: Nullish<string>, path: string): string | undefined {
  return text == null ? undefined : checkText(text, path, 254);
}

export function parsePhoneFilter(text: Nullish<string>, path: string): string | undefined {
  return text == null ? undefined : checkText(text, path, 32);
}

/**
 * Returns the inclusive end of a time range. A time with zero milliseconds includes its whole second, because the
 * input may have had none.
 */
export function toEndOfSecond(time: Date): Date {
  return time.getMilliseconds() === 0 ? new Date(time.getTime() + 999) : time;
}

export function parseMetadataFilter(
  filter: Nullish<{ notifyPayload?: Nullish<string>; metadata?: Nullish<MetadataEntry> }>,
): MetadataFilter {
  const { notifyPayload, metadata } = filter ?? {};
  return {
    notifyPayload: parseNotifyPayload(notifyPayload) ?? undefined,
    metadata: metadata ? checkMetadataFilter(metadata, '/filter/metadata') : undefined,
  };
}
