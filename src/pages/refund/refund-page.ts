import type { RefundPage } from '../../domain/payments/refund/refund-details-page.ts';
import { getDisplayName } from '../../kit/brand.ts';
import type { Money } from '../../kit/money.ts';
import { fillText } from '../../language/fill-text.ts';
import { type MethodCode, paymentMethods } from '../../method/catalog.ts';
import { type AliasScheme, aliasSchemes, findAliasScheme } from '../../method/payout-alias.ts';
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

/** The name of the query parameter that shows the form for an alias (`1`) or for a bank account (`0`). */
export const aliasParameter = 'alias';

type FormOptions = {
  /** The URL of the page, in the language of the page. */
  url: string;
  /** Shows the form for an alias instead of a bank account, if the country has a scheme. */
  isAlias: boolean;
  rejected?: RejectedDetails | undefined;
};

/** The page has a form while payout details are missing. */
export function refundPage(i18n: PageI18n, page: RefundPage, options: FormOptions): PageContent {
  const { status } = page.refund;
  return status === 'initiated' ? formPage(i18n, page, options) : noticePage(i18n, page, status);
}

function formPage(i18n: PageI18n, page: RefundPage, options: FormOptions): PageContent {
  const { refund, merchant } = page;
  const { url, rejected } = options;
  const strings = i18n.strings.refund;
  const scheme = findAliasScheme(getRefundCountry(page));
  const usedScheme = options.isAlias ? scheme : undefined;
  const textFields = usedScheme
    ? toAliasFields(i18n, usedScheme, rejected)
    : toTextFields(i18n, page, rejected);
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
${!usedScheme && html`<p>${fillText(strings.country, { country: regionName(i18n, getRefundCountry(page)) })}</p>`}
${textFields.map(textField)}
${usedScheme && html`<input type="hidden" name="scheme" value="${usedScheme}">`}
<button type="submit" class="button">${strings.submit}</button>
${scheme && html`<p><a href="${toOtherFormUrl(page, url, !usedScheme)}">${toOtherFormText(i18n, scheme, usedScheme !== undefined)}</a></p>`}
<p class="hint">${fill(strings.privacy, { merchant: merchantName(merchant) })}</p>
</form>
</section>
</div>`;
  return toPageContent(page, formTitle(i18n, getTitle(i18n, page), errors), main);
}

function toOtherFormUrl(page: RefundPage, url: string, isAlias: boolean): string {
  const [path, query] = url.split('?');
  const params = new URLSearchParams(query);
  params.delete(aliasParameter);
  if (isAlias !== hasPaidByAliasMethod(page)) params.set(aliasParameter, isAlias ? '1' : '0');
  return params.size === 0 ? path! : `${path}?${params}`;
}

function toOtherFormText(i18n: PageI18n, scheme: AliasScheme, isAlias: boolean): string {
  const { useAlias, useAccount } = i18n.strings.refund;
  return isAlias ? useAccount : fillText(useAlias, { scheme: aliasSchemes[scheme].localName });
}

type FieldName = (typeof fieldNames)[number];

function toField(
  i18n: PageI18n,
  rejected: RejectedDetails | undefined,
  {
    name,
    error = name,
    ...rest
  }: { name: FieldName; label: string; error?: FieldName | 'alias' } & Partial<Omit<TextField, 'error'>>,
): TextField {
  return {
    name,
    maxLength: 140,
    value: rejected?.values[name] ?? '',
    ...(rejected?.invalidFields.has(name) && { error: i18n.strings.refund.errors[error] }),
    ...rest,
  };
}

function toAliasFields(i18n: PageI18n, scheme: AliasScheme, rejected?: RejectedDetails): TextField[] {
  const { alias, aliasHint, holder, holderHint } = i18n.strings.refund;
  const { localName: schemeName } = aliasSchemes[scheme];
  return [
    toField(i18n, rejected, {
      name: 'account',
      label: fillText(alias, { scheme: schemeName }),
      hint: aliasHint[scheme],
      error: 'alias',
    }),
    toField(i18n, rejected, { name: 'holder', label: holder, hint: holderHint, autocomplete: 'name' }),
  ];
}

function toTextFields(i18n: PageI18n, page: RefundPage, rejected?: RejectedDetails): TextField[] {
  const strings = i18n.strings.refund;
  const bank = getBankIdentifier(getRefundCountry(page));
  const field = (
    name: FieldName,
    label: string,
    overrides: Partial<Omit<TextField, 'name' | 'error'>> = {},
  ) => toField(i18n, rejected, { name, label, ...overrides });
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

export function getRefundCountry({ charge }: RefundPage): string {
  return paymentMethods[charge.method as MethodCode].country;
}

/** The form asks for an alias first if the customer paid by a method of aliases, such as FPS. */
export function hasPaidByAliasMethod(page: RefundPage): boolean {
  const scheme = findAliasScheme(getRefundCountry(page));
  return scheme !== undefined && aliasSchemes[scheme].method === page.charge.method;
}
