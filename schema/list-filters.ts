import { checkText } from '../src/kit/text.ts';
import type { ExtendedTypes } from './kit/builder.ts';

type FilterFieldBuilder = PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>;

/** What the filters of lists have in common: when what is listed was made. `readMadeWithin` reads it. */
export const createdBetweenFields = (t: FilterFieldBuilder) => ({
  startDate: t.field({
    type: 'DateTime',
    description: 'Returns only objects created at or after this time.',
  }),
  endDate: t.field({
    type: 'DateTime',
    description:
      'Returns only objects created at or before this time. A time without milliseconds includes that entire second.',
  }),
});

/** And whose it is. `readCustomer` reads it. */
export const customerFilterFields = (t: FilterFieldBuilder) => ({
  customerEmail: t.string({
    description:
      'Returns only objects of the customer with this email address. Must be the complete address; letter case is ignored.',
  }),
  customerPhone: t.string({
    description:
      'Returns only objects of the customer with this phone number. Must include all digits. Ignored if `customerEmail` is set.',
  }),
});

type Nullish<Value> = Value | null | undefined;

/** When what is asked for was made. */
export function parseCreatedBetween(filter: Nullish<{ startDate?: Nullish<Date>; endDate?: Nullish<Date> }>) {
  const { startDate, endDate } = filter ?? {};
  return { startDate: startDate ?? undefined, endDate: endDate ? toEndOfSecond(endDate) : undefined };
}

/** Whose it is. Error: `invalid_request`. */
export function parseCustomerFilter(
  filter: Nullish<{ customerEmail?: Nullish<string>; customerPhone?: Nullish<string> }>,
) {
  return {
    customerEmail: parseEmailFilter(filter?.customerEmail, '/filter/customerEmail'),
    customerPhone: parsePhoneFilter(filter?.customerPhone, '/filter/customerPhone'),
  };
}

/** An e-mail address that is looked for. Error: `invalid_request`. */
export function parseEmailFilter(text: Nullish<string>, path: string): string | undefined {
  return text == null ? undefined : checkText(text, path, 254);
}

/** A phone number that is looked for. Error: `invalid_request`. */
export function parsePhoneFilter(text: Nullish<string>, path: string): string | undefined {
  return text == null ? undefined : checkText(text, path, 32);
}

/** The end of a span of time: as in REST, where times have no milliseconds, a whole second is included to its end. */
export function toEndOfSecond(time: Date): Date {
  return time.getMilliseconds() === 0 ? new Date(time.getTime() + 999) : time;
}
