import type { CheckoutLink } from '../../../prisma/client/client.ts';
import { findViolatedLimit, type LinkAmount } from '../../domain/payments/checkout-link/link-amount.ts';
import type { OrderLine } from '../../domain/platform/order-line.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { getMinorPerMajor } from '../../kit/currency.ts';
import { DomainError } from '../../kit/errors.ts';
import { type Money, parseMoney } from '../../kit/money.ts';
import { FieldInputError, parseAmount } from '../../kit/typed-number.ts';
import { fillText } from '../../language/fill-text.ts';
import { getPayableDigits } from '../../method/payable-amount.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { orderList, summary } from '../parts/summary.ts';
import { textField } from '../parts/text-field.ts';
import type { CheckoutTarget } from './checkout-target.ts';
import { postForm } from './forms.ts';
import type { CheckoutView } from './view.ts';

/** The longest amount below 10^12 with separators. */
const amountLengthMax = 24;

/** The customer enters the amount. `typed` is the text to correct, with its error. */
export function amountPage(
  view: CheckoutView,
  { link, merchant, mode }: Extract<CheckoutTarget, { kind: 'link' }>,
  typed?: { text: string; error?: string },
): PageContent {
  const { i18n } = view;
  const { strings } = i18n;
  const { amount: _, ...query } = view.query;
  const errors = typed?.error === undefined ? [] : [{ name: 'amount', text: typed.error }];
  const orders = orderList(i18n, {
    orders: link.orders as OrderLine[],
    currency: link.currency,
    isCollapsed: false,
  });
  const limits = limitsText(i18n, link);
  const field = textField({
    name: 'amount',
    label: fillText(strings.amount.label, { currency: link.currency }),
    value: typed?.text ?? '',
    hint: typed?.error === limits ? undefined : limits,
    error: typed?.error,
    maxLength: amountLengthMax,
    inputMode: getPayableDigits(link.currency) === 0 ? 'numeric' : 'decimal',
  });
  const main = html`<div class="columns">
${summary(i18n, { merchant, orders })}
<section class="panel">
${errorSummary(i18n, errors)}
${postForm({ ...view, query }, 'amount', html`${field}<button type="submit" class="button">${strings.amount.submit}</button>`)}
</section>
</div>`;
  const title = fillText(strings.summary.pay, { merchant: getDisplayName(merchant) });
  return {
    status: errors.length > 0 ? 400 : 200,
    title: formTitle(i18n, title, errors),
    main,
    merchant,
    mode,
    demo: merchant.demo,
  };
}

/** Reads an amount that the customer typed in the format of `i18n.locale`. */
export function readAmount(
  i18n: PageI18n,
  link: CheckoutLink,
  text: string,
): { money: Money } | { error: string } {
  const money = tryParse(() =>
    parseMoney(parseAmount(text.normalize('NFKC'), link.currency, i18n.locale), link.currency, '/amount'),
  );
  if (!money || !hasPayableDigits(money))
    return { error: fillText(i18n.strings.amount.invalid, { example: exampleText(i18n, link) }) };
  return findViolatedLimit(link, money) === undefined ? { money } : { error: limitsText(i18n, link) ?? '' };
}

/** Returns whether the amount has no fraction that customers of the currency never pay. */
function hasPayableDigits({ minor, currency }: Money): boolean {
  return getPayableDigits(currency) > 0 || minor % getMinorPerMajor(currency) === 0n;
}

function tryParse(parse: () => Money): Money | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FieldInputError || error instanceof DomainError) return undefined;
    throw error;
  }
}

function limitsText(
  i18n: PageI18n,
  { amountMinimum, amountMaximum, currency }: LinkAmount,
): string | undefined {
  const { between, atLeast, atMost } = i18n.strings.amount;
  const toText = (minor: bigint | null) => (minor === null ? '' : amountText(i18n, { minor, currency }));
  const values = { minimum: toText(amountMinimum), maximum: toText(amountMaximum) };
  if (amountMinimum !== null && amountMaximum !== null) return fillText(between, values);
  if (amountMinimum !== null) return fillText(atLeast, values);
  return amountMaximum === null ? undefined : fillText(atMost, values);
}

/** Returns an example of an amount as customers type it: `125.50`, or `125` in a currency without fractions. */
function exampleText({ locale }: PageI18n, { currency }: LinkAmount): string {
  const digits = getPayableDigits(currency);
  const format = { minimumFractionDigits: digits, useGrouping: false };
  return new Intl.NumberFormat(locale, format).format(digits === 0 ? 125 : 125.5);
}
