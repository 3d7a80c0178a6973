import type { InvoicePage } from '../../domain/billing/subscription/get-pages.ts';
import { toInvoiceOrders } from '../../domain/billing/subscription/subscription-charge-terms.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { amount, amountText, fill } from '../format.ts';
import { html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { errorSummary, type FormError, formTitle } from '../parts/error-summary.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { notice } from '../parts/notice.ts';
import { type MethodFormState, type PaymentOffer, toFormErrors } from '../parts/offer.ts';
import { backButton, merchantName, orderList, summary } from '../parts/summary.ts';
import { pendingChargeForm } from './pending-charge-form.ts';
import { dayText } from './plan-text.ts';

type InvoicePageOptions = { url: string; manage: string; pdf: string; now: Date };

export function unpaidInvoicePage(
  i18n: PageI18n,
  pageData: InvoicePage,
  options: InvoicePageOptions & { offer: PaymentOffer | undefined; formState: MethodFormState },
): PageContent {
  const { invoice, subscription, merchant } = pageData;
  const { choose, subscription: strings } = i18n.strings;
  const money = { minor: invoice.amount, currency: invoice.currency };
  const values = { number: String(invoice.number), merchant: merchantName(merchant) };
  const dueValues = { date: dayText(i18n, invoice.dueAt, merchant), plan: invoice.planName };
  const { offer, formState } = options;
  const errors = offer ? toFormErrors(formState) : [];
  const main = html`<div class="columns">
${summary(i18n, {
  merchant,
  money,
  eyebrow: fill(strings.invoice.from, values),
  below: html`<p>${fill(subscription.status === 'active' ? strings.invoice.due : strings.invoice.overdue, dueValues)}</p>`,
  orders: orderList(i18n, { orders: toInvoiceOrders(invoice), total: money, isCollapsed: false }),
})}
<section class="panel">
${errorSummary(i18n, errors)}
${pendingChargeForm(i18n, pageData, options)}
${
  offer &&
  html`<form method="post" novalidate action="${options.url}">
${methodChoice(i18n, offer, formState)}
<button type="submit" class="button">${strings.pay}</button>
<p class="hint">${choose.nextHint}</p>
</form>`
}
<p><a href="${options.pdf}">${strings.pdf}</a></p>
<p><a href="${options.manage}">${strings.manage}</a></p>
</section>
</div>`;
  return toPageContent(i18n, pageData, { main, now: options.now, errors });
}

/** The invoice is paid or voided. */
export function closedInvoicePage(
  i18n: PageI18n,
  pageData: InvoicePage,
  options: InvoicePageOptions,
): PageContent {
  const { invoice, merchant, subscription } = pageData;
  const strings = i18n.strings.subscription;
  const isPaid = invoice.status === 'paid';
  const { title, text } = strings.invoice[isPaid ? 'paid' : 'void'];
  const money = { minor: invoice.amount, currency: invoice.currency };
  const values = {
    number: String(invoice.number),
    merchant: merchantName(merchant),
    amount: amount(i18n, money),
    date: dayText(i18n, invoice.paidAt ?? invoice.voidedAt ?? invoice.updatedAt, merchant),
  };
  const { redirectUrl } = subscription;
  const body = html`<p>${fill(text, values)}</p><p><a href="${options.pdf}">${strings.pdf}</a></p><p><a href="${options.manage}">${strings.manage}</a></p>
${backButton(i18n, { merchant, redirectUrl })}`;
  const main = notice({ tone: isPaid ? 'success' : 'info', title, body });
  return toPageContent(i18n, pageData, { main, now: options.now });
}

function toPageContent(
  i18n: PageI18n,
  { invoice, merchant }: InvoicePage,
  { main, now, errors = [] }: Pick<PageContent, 'main'> & { now: Date; errors?: readonly FormError[] },
): PageContent {
  const price = amountText(i18n, { minor: invoice.amount, currency: invoice.currency });
  const values = { number: String(invoice.number), merchant: getDisplayName(merchant), amount: price };
  const title = formTitle(i18n, fillText(i18n.strings.subscription.invoice.title, values), errors);
  return { status: 200, title, main, now, merchant, mode: invoice.mode, demo: merchant.demo };
}
