import fc from 'fast-check';

/** For `chunks`: sizes that cut within a character as well as after many lines. */
export const anyChunkSizes = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 50_000 })),
  { minLength: 1, maxLength: 8 },
);
