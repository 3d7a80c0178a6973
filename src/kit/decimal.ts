import { Decimal as DecimalJs } from 'decimal.js';

/** A decimal type that multiplies an amount below 10^12 by a rate without rounding. */
export const Decimal = DecimalJs.clone({ precision: 60 });
export type Decimal = DecimalJs;
