import { getPlanOrders } from '../../domain/billing/subscription/billing-terms.ts';
import type { EnrolmentPage } from '../../domain/billing/subscription/get-pages.ts';
import { getInitialMoney, getRecurringMoney } from '../../domain/billing/subscription-plan/tax.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { fill } from '../format.ts';
import { html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { customerFields } from '../parts/customer-fields.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { notice } from '../parts/notice.ts';
import { type MethodFormState, type PaymentOffer, toFormErrors } from '../parts/offer.ts';
import { backButton, merchantName, orderList, summary } from '../parts/summary.ts';
import { planSummary } from './plan-text.ts';

export function enrolPage(
  i18n: PageI18n,
  pageData: EnrolmentPage,
  options: {
    url: string;
    formToken: string;
    offer: PaymentOffer;
    canSendEmail: boolean;
    now: Date;
    formState?: MethodFormState | undefined;
  },
): PageContent {
  const { plan, merchant } = pageData;
  const { choose, subscription } = i18n.strings;
  const money = getInitialMoney(plan);
  const isFree = money.minor === 0n;
  // The first payment has no invoice.
  const isInvoiced = plan.sendEmail && options.canSendEmail && (isFree || plan.numPayments !== 1);
  // The shop sends the invoices of a plan without emails.
  const areInvoicesSent = options.canSendEmail || !plan.sendEmail;
  const startHint = areInvoicesSent ? subscription.startHint : undefined;
  const hint = isFree ? startHint : choose.nextHint;
  const { offer, formState, now } = options;
  const errors = toFormErrors(formState);
  const orders = orderList(i18n, {
    orders: getPlanOrders(plan),
    total: getRecurringMoney(plan),
    isCollapsed: false,
  });
  const main = html`<div class="columns">
${summary(i18n, {
  merchant,
  money,
  eyebrow: fill(subscription.enrolTitle, { plan: plan.name, merchant: merchantName(merchant) }),
  below: planSummary(i18n, plan, { merchant, now, areInvoicesSent }),
  orders,
})}
<section class="panel">
${errorSummary(i18n, errors)}
<form method="post" novalidate action="${options.url}">
<input type="hidden" name="formToken" value="${options.formToken}">
${methodChoice(i18n, offer, formState)}${customerFields(i18n, offer, formState, isInvoiced ? subscription.emailHint : undefined)}
<button type="submit" class="button">${isFree ? subscription.start : subscription.pay}</button>
${hint !== undefined && html`<p class="hint">${hint}</p>`}
</form>
</section>
</div>`;
  const title = fillText(subscription.enrolTitle, { plan: plan.name, merchant: getDisplayName(merchant) });
  return {
    status: 200,
    title: formTitle(i18n, title, errors),
    main,
    now,
    merchant,
    mode: plan.mode,
    demo: merchant.demo,
  };
}

/** The plan accepts no new subscriptions. */
export function planClosedPage(i18n: PageI18n, { link, plan, merchant }: EnrolmentPage): PageContent {
  const { title, text } = i18n.strings.subscription.closed;
  const body = html`<p>${fill(text, { merchant: merchantName(merchant) })}</p>
${backButton(i18n, { merchant, redirectUrl: link.redirectUrl })}`;
  const main = notice({ tone: 'info', title, body });
  return { status: 409, title, main, merchant, mode: plan.mode, demo: merchant.demo };
}
