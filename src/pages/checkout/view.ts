import type { PageI18n } from '../i18n.ts';
import type { CheckoutQuery } from './checkout-url.ts';

/** The context of every checkout page. */
export type CheckoutView = { i18n: PageI18n; query: CheckoutQuery; now: Date };
