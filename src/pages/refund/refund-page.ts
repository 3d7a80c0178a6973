import type { RefundPage } from '../../domain/payments/refund/open-refund-page.ts';
import { getDisplayName } from '../../kit/brand.ts';
import type { Money } from '../../kit/money.ts';
import { fillText } from '../../language/fill-text.ts';
import { type MethodCode, paymentMethods } from '../../method/catalog.ts';
import { type BankIdentifier, getBankIdentifier } from '../../method/payout-details.ts';
import { amount, amountText, dateTime, fill, regionName } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { notice } from '../parts/notice.ts';
import { merchantName, summary } from '../parts/summary.ts';
import { type TextField, textField } from '../parts/text-field.ts';

/** Rejected payout details, which the form shows again with an error on each invalid field. */
export type RejectedDetails = { values: Record<string, string>; invalidFields: ReadonlySet<string> };

const fieldNames = ['bank', 'account', 'holder'] as const;

/** Renders the refund in its current state, with a form while payout details are missing. */
export function refundPage(
  i18n: PageI18n,
  page: RefundPage,
  url: string,
  rejected?: RejectedDetails,
): PageContent {
  const { status } = page.refund;
  return status === 'initiated' ? formPage(i18n, page, url, rejected) : noticePage(i18n, page, status);
}

function formPage(i18n: PageI18n, page: RefundPage, url: string, rejected?: RejectedDetails): PageContent {
  const { refund, merchant } = page;
  const strings = i18n.strings.refund;
  const textFields = toTextFields(i18n, page, rejected);
  const errors = textFields.flatMap(({ name, error }) =>
    error === undefined ? [] : [{ name, text: error }],
  );
  const main = html`<div class="columns">
${summary(i18n, {
  merchant,
  money: toMoney(page),
  eyebrow: fill(strings.from, { merchant: merchantName(merchant) }),
  orders: undefined,
})}
<section class="panel">
${errorSummary(i18n, errors)}
<form method="post" novalidate action="${url}">
<h2>${strings.detailsHeading}</h2>
${refund.reopenReason !== null && html`<p class="aside">${fill(strings.reopened, { reason: refund.reopenReason })}</p>`}
<p>${fillText(strings.country, { country: regionName(i18n, getCountry(page)) })}</p>
${textFields.map(textField)}
<button type="submit" class="button">${strings.submit}</button>
<p class="hint">${fill(strings.privacy, { merchant: merchantName(merchant) })}</p>
</form>
</section>
</div>`;
  return toPageContent(page, formTitle(i18n, getTitle(i18n, page), errors), main);
}

function toTextFields(i18n: PageI18n, page: RefundPage, rejected?: RejectedDetails): TextField[] {
  const strings = i18n.strings.refund;
  const bank = getBankIdentifier(getCountry(page));
  const field = (name: (typeof fieldNames)[number], label: string, overrides: Partial<TextField> = {}) => ({
    name,
    label,
    maxLength: 140,
    value: rejected?.values[name] ?? '',
    ...(rejected?.invalidFields.has(name) && { error: strings.errors[name] }),
    ...overrides,
  });
  return [
    ...(bank === 'none' ? [] : [field('bank', strings.bank[bank], { inputMode: getInputMode(bank) })]),
    field('account', strings.account, {
      hint: strings.accountHint[bank === 'none' ? 'withBank' : 'withoutBank'],
    }),
    field('holder', strings.holder, { hint: strings.holderHint, autocomplete: 'name' }),
  ];
}

function getInputMode(bank: BankIdentifier): 'numeric' | 'text' {
  return bank === 'bankCode' || bank === 'bsb' ? 'numeric' : 'text';
}

function noticePage(
  i18n: PageI18n,
  page: RefundPage,
  status: 'processing' | 'completed' | 'cancelled',
): PageContent {
  const { refund, charge, merchant } = page;
  const strings = i18n.strings.refund[status];
  const values = {
    merchant: merchantName(merchant),
    amount: amount(i18n, toMoney(page)),
    reference: html`<code>${refund.payoutReference}</code>`,
    time: dateTime(i18n, refund.completedAt ?? refund.updatedAt, 'UTC'),
    paymentReference: html`<code>${charge.paymentReference}</code>`,
  };
  const body = html`<p>${fill(strings.text, values)}</p><p>${fill(strings.help, values)}</p>`;
  const tone = status === 'cancelled' ? 'info' : 'success';
  return toPageContent(page, getTitle(i18n, page), notice({ tone, title: strings.title, body }));
}

function toPageContent({ refund, merchant }: RefundPage, title: string, main: Html): PageContent {
  return { status: 200, title, main, merchant, mode: refund.mode, demo: merchant.demo };
}

function getTitle(i18n: PageI18n, page: RefundPage): string {
  return fillText(i18n.strings.refund.title, {
    amount: amountText(i18n, toMoney(page)),
    merchant: getDisplayName(page.merchant),
  });
}

function toMoney({ refund }: RefundPage): Money {
  return { minor: refund.customerAmount, currency: refund.customerCurrency };
}

function getCountry({ charge }: RefundPage): string {
  return paymentMethods[charge.method as MethodCode].country;
}
