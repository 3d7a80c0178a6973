import type { Merchant } from '../../../prisma/client/client.ts';
import type { Order } from '../../domain/platform/order.ts';
import { decimalToMinor, type Money } from '../../kit/money.ts';
import { amount, amountText, fill, fillText } from '../format.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import type { Reader } from '../reader.ts';

/** What is paid to whom: the head of the page, with the amount as its first heading. */
export function summary(
  reader: Reader,
  content: {
    merchant: Merchant;
    money: Money;
    /** Stands before the merchant's name; else "Pay". */
    eyebrow?: Html;
    below?: HtmlValue;
    orders: Html | undefined;
  },
): Html {
  const { merchant, money, below, orders } = content;
  const eyebrow = content.eyebrow ?? fill(reader.strings.summary.pay, { merchant: merchantName(merchant) });
  return html`<header class="summary">
<h1 tabindex="-1" class="${lengthClass(amountText(reader, money))}"><span class="payee"><span class="initial" aria-hidden="true">${[...merchant.name.trim()][0]?.toUpperCase()}</span>
<span>${eyebrow} </span></span>${amount(reader, money)}</h1>
${below}
${orders}
</header>`;
}

/** Large amounts are set smaller, so that they stay in one line. */
function lengthClass(text: string): string {
  if (text.length <= 12) return '';
  return text.length <= 17 ? 'long' : 'longer';
}

export function merchantName(merchant: Merchant): Html {
  return html`<span class="merchant">${merchant.name}</span>`;
}

/** More than this are folded, so that what is to be done stays in sight. */
const ordersUnfoldedMax = 3;

/** What is bought, in the merchant's currency. */
export function orderList(
  reader: Reader,
  content: { orders: Order[]; total: Money; folded: boolean },
): Html | undefined {
  const { orders, total } = content;
  if (orders.length === 0) return undefined;
  const isOpen = !content.folded && orders.length <= ordersUnfoldedMax;
  return html`<details class="order"${isOpen && html` open`}>
<summary><span>${reader.strings.summary.order}</span> ${amount(reader, total)}</summary>
<ul>${orders.map((order) => orderLine(reader, order, total.currency))}</ul>
</details>`;
}

function orderLine(reader: Reader, order: Order, currency: string): Html {
  const { quantity, reference } = reader.strings.summary;
  const minor = order.amount === undefined ? undefined : decimalToMinor(order.amount, currency);
  const name = order.name ?? fillText(reference, { id: order.id ?? '' });
  return html`<li><span>${order.quantity !== undefined && html`<span class="quantity">${fillText(quantity, { quantity: String(order.quantity) })}</span> `}${(order.name !== undefined || order.id !== undefined) && name}</span>
${minor !== undefined && amount(reader, { minor, currency })}</li>`;
}

/** The way back to the shop: a button, never a redirect. */
export function backButton(
  reader: Reader,
  options: { merchant: Merchant; redirectUrl: string | null },
): Html | undefined {
  const { merchant, redirectUrl } = options;
  if (redirectUrl === null) return undefined;
  const text = fill(reader.strings.page.backToShop, { merchant: merchantName(merchant) });
  return html`<a class="button" href="${redirectUrl}"><span>${text}</span></a>`;
}
