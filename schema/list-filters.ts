import type { ExtendedTypes } from './kit/builder.ts';

type Fields = PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>;

/** What the filters of lists have in common: when what is listed was made. `endOfSecond` reads the later end. */
export const madeWithin = (t: Fields) => ({
  startDate: t.field({ type: 'DateTime', description: 'Only those made at this time or later.' }),
  endDate: t.field({
    type: 'DateTime',
    description: 'Only those made at this time or earlier; a whole second is included to its end.',
  }),
});

/** And whose it is. */
export const ofCustomer = (t: Fields) => ({
  customerEmail: t.string({
    description: 'Only those of the customer with this e-mail address, whole; letter case does not matter.',
  }),
  customerPhone: t.string({
    description: 'Only those with this phone number, all digits of it; ignored with `customerEmail`.',
  }),
});
