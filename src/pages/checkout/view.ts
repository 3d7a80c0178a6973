import type { PageI18n } from '../i18n.ts';
import type { CheckoutQuery } from './address.ts';

/** What every page of the checkout is made with, besides what it shows. */
export type CheckoutView = { i18n: PageI18n; query: CheckoutQuery; now: Date };
