/** Whether this is `npm run test:long`. */
export const isLongRun = Boolean(process.env.LONG);

/** The number of cases of a property or race: `short` in `npm test`, `long` in `npm run test:long`. */
export const count = (short: number, long: number): number => (isLongRun ? long : short);
