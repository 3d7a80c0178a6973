import type { Reader } from '../reader.ts';
import type { CheckoutQuery } from './address.ts';

/** What every page of the checkout is made with, besides what it shows. */
export type View = { reader: Reader; query: CheckoutQuery; now: Date };
