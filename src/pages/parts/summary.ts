import type { Merchant } from '../../../prisma/client/client.ts';
import type { OrderLine } from '../../domain/platform/order-line.ts';
import { getDisplayName, toLogo } from '../../kit/brand.ts';
import type { CurrencyCode } from '../../kit/currency.ts';
import { decimalToMinor, type Money } from '../../kit/money.ts';
import { fillText } from '../../language/fill-text.ts';
import { amount, amountText, fill } from '../format.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** Renders the merchant and the amount as the first heading of the page, above the details. */
export function summary(
  i18n: PageI18n,
  content: {
    merchant: Merchant;
    /** Undefined until the customer has chosen the amount. */
    money?: Money;
    /** The text above the amount; defaults to "Pay" and the merchant's name. */
    eyebrow?: Html;
    below?: HtmlValue;
    orders: Html | undefined;
  },
): Html {
  const { merchant, money, below, orders } = content;
  const eyebrow = content.eyebrow ?? fill(i18n.strings.summary.pay, { merchant: merchantName(merchant) });
  return html`<header class="summary">
<h1 tabindex="-1" class="${money && lengthClass(amountText(i18n, money))}"><span class="payee">${brandMark(merchant)}
<span>${eyebrow} </span></span>${money && amount(i18n, money)}</h1>
${below}
${orders}
</header>`;
}

/** Returns a CSS class with smaller type for long amounts, so that they fit on one line. */
function lengthClass(text: string): string {
  if (text.length <= 12) return '';
  return text.length <= 17 ? 'long' : 'longer';
}

export function brandMark(merchant: Merchant): Html {
  const logo = toLogo(merchant.logo);
  if (logo)
    return html`<img class="logo" src="${logo.path}" alt="" width="${logo.width}" height="${logo.height}">`;
  return html`<span class="initial" aria-hidden="true">${[...getDisplayName(merchant)][0]?.toUpperCase()}</span>`;
}

export function merchantName(merchant: Merchant): Html {
  return html`<span class="merchant">${getDisplayName(merchant)}</span>`;
}

/** Lists with more items are collapsed, so that the next step stays visible. */
const expandedOrdersMax = 3;

/** Order items are in the merchant's currency. The amount of an item is the price of one. */
export function orderList(
  i18n: PageI18n,
  content: { orders: OrderLine[]; isCollapsed: boolean } & ({ total: Money } | { currency: CurrencyCode }),
): Html | undefined {
  const { orders } = content;
  const total = 'total' in content ? content.total : undefined;
  const currency = 'total' in content ? content.total.currency : content.currency;
  if (orders.length === 0) return undefined;
  const isOpen = !content.isCollapsed && orders.length <= expandedOrdersMax;
  return html`<details class="order"${isOpen && html` open`}>
<summary><span>${i18n.strings.summary.order}</span> ${total && amount(i18n, total)}</summary>
${orderLines(i18n, orders, currency)}
</details>`;
}

export function orderLines(i18n: PageI18n, orders: OrderLine[], currency: string): Html | undefined {
  if (orders.length === 0) return undefined;
  return html`<ul>${orders.map((order) => orderLine(i18n, order, currency))}</ul>`;
}

function orderLine(i18n: PageI18n, order: OrderLine, currency: string): Html {
  const { quantity, reference } = i18n.strings.summary;
  const minor = order.amount === undefined ? undefined : decimalToMinor(order.amount, currency);
  const name = order.name ?? fillText(reference, { id: order.id ?? '' });
  const count = fillText(quantity, { quantity: String(order.quantity) });
  const { quantity: items = 1 } = order;
  const isPriced = minor !== undefined && items > 1;
  const label = html`${items > 1 && !isPriced && html`<span class="quantity">${count}</span> `}${(order.name !== undefined || order.id !== undefined) && name}`;
  const unitPrice = isPriced && html` <small>${count} ${amount(i18n, { minor, currency })}</small>`;
  return html`<li><span>${label}${unitPrice}</span>
${minor !== undefined && amount(i18n, { minor: minor * BigInt(items), currency })}</li>`;
}

/** The page never redirects to the shop automatically. */
export function backButton(
  i18n: PageI18n,
  options: { merchant: Merchant; redirectUrl: string | null },
  isSecondary = false,
): Html | undefined {
  const { merchant } = options;
  const redirectUrl = options.redirectUrl ?? merchant.websiteUrl;
  if (redirectUrl === '') return undefined;
  const text = fill(i18n.strings.page.backToShop, { merchant: merchantName(merchant) });
  return html`<a class="${isSecondary ? 'button secondary' : 'button'}" href="${redirectUrl}"><span>${text}</span></a>`;
}
