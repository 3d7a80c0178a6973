import type { FastifyRequest } from 'fastify';
import type { Charge } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { getAmountPaid } from '../../domain/payments/charge/charge-state.ts';
import { getOutstandingMoney } from '../../domain/payments/charge/outstanding-money.ts';
import { findOpenCharge } from '../../domain/payments/checkout/find-open-charge.ts';
import { createClientToken } from '../../domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import type { Money } from '../../kit/money.ts';
import { fillText } from '../../language/fill-text.ts';
import { amount, amountText, dateTime, fill } from '../format.ts';
import { html } from '../html.ts';
import type { PageContent } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { notice } from '../parts/notice.ts';
import { merchantName } from '../parts/summary.ts';
import { getCreatedChargeIds } from './browser.ts';
import type { CheckoutTarget } from './checkout-target.ts';
import { type CheckoutQuery, toChargeUrl, toViewUrl } from './checkout-url.ts';
import type { CheckoutView } from './view.ts';

/**
 * Returns the open or paid charge that this browser has started from the link or the checkout URL, unless the customer
 * asked to start another one.
 */
export async function findResumableCharge(
  context: Context,
  { request, query, target }: { request: FastifyRequest; query: CheckoutQuery; target: CheckoutTarget },
): Promise<Charge | null> {
  const { service } = context;
  const { merchant, mode } = target;
  if (query.view === 'new' || (target.kind !== 'link' && target.kind !== 'url')) return null;
  const ids = getCreatedChargeIds(service, request, mode);
  const terms = getTerms(target);
  return findOpenCharge(service, {
    ids,
    merchantId: merchant.id,
    mode,
    terms,
    withPaid: true,
    now: pageNow(context, target),
  });
}

function getTerms(target: Extract<CheckoutTarget, { kind: 'link' | 'url' }>) {
  if (target.kind === 'link') return { checkoutLinkId: target.link.id };
  const { money, notifyPayload, notifyUrl } = target.urlTerms;
  return {
    checkoutLinkId: null,
    sessionId: null,
    subscriptionId: null,
    merchantAmount: money.minor,
    merchantCurrency: money.currency,
    notifyPayload,
    notifyUrl,
  };
}

/** Asks whether to continue the open charge, or to pay again, so that the customer does not pay twice by mistake. */
export function resumePage(
  { secrets }: Service,
  { i18n, query }: CheckoutView,
  { target: { merchant, mode }, charge }: { target: CheckoutTarget; charge: Charge },
): PageContent {
  const { another, paid, ...open } = i18n.strings.resume;
  const isPaid = charge.status === 'completed';
  const { title, text, submit } = isPaid ? paid : open;
  const money = isPaid ? getPaidMoney(charge) : getOutstandingMoney(charge);
  const values = {
    amount: amount(i18n, money),
    merchant: merchantName(merchant),
    date: dateTime(i18n, charge.completedAt ?? charge.createdAt, merchant.timeZone),
  };
  const body = html`<p>${fill(text, values)}</p>
<a class="button" href="${toChargeUrl(createClientToken(secrets, charge), query)}">${fillText(submit, { amount: amountText(i18n, money) })}</a>
<a class="button secondary" href="${toViewUrl(query, 'new')}">${another}</a>`;
  return {
    status: 200,
    title,
    main: notice({ tone: isPaid ? 'success' : 'info', title, body }),
    merchant,
    mode,
    demo: merchant.demo,
  };
}

function getPaidMoney(charge: Charge): Money {
  const paid = getAmountPaid(charge);
  return { minor: paid > 0n ? paid : charge.customerAmount, currency: charge.customerCurrency };
}
