/** Whether this is `npm run test:long`. */
export const isLong = Boolean(process.env.LONG);

/** How often a property or a race is tried: `short` in `npm test`, `long` in `npm run test:long`. */
export const count = (short: number, long: number): number => (isLong ? long : short);
