import { Decimal as DecimalJs } from 'decimal.js';

/** Precise enough that an amount below 10^12 times a rate is never rounded. */
export const Decimal = DecimalJs.clone({ precision: 60 });
export type Decimal = DecimalJs;
