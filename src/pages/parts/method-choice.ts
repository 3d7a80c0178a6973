import type { Merchant } from '../../../prisma/client/client.ts';
import type { MethodQuote } from '../../domain/payments/charge/quote-methods.ts';
import { paymentMethods } from '../../method/catalog.ts';
import { customerApps } from '../../method/customer-apps.ts';
import { amount, regionName } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { MethodFormState, PaymentOffer } from './offer.ts';

type CountryMethods = { country: string; quotes: MethodQuote[] };

/** More non-local methods than this are collapsed, so that the rest of the form stays visible. */
const expandedOthersMax = 3;

/** The methods are grouped by country. The reader's likely countries come first. */
export function methodChoice(
  i18n: PageI18n,
  offer: PaymentOffer,
  formState: MethodFormState | undefined,
): Html {
  const { choose } = i18n.strings;
  const countries = sortByRelevance(i18n, offer);
  const selectedMethod =
    formState?.method ?? (offer.quotes.length === 1 ? offer.quotes[0]?.method : undefined);
  const error = formState?.errors.method;
  const renderGroup = (group: CountryMethods) => countryGroup(i18n, group, selectedMethod);
  const [visibleCountries, collapsedCountries] = splitCollapsed(i18n, offer.merchant, {
    countries,
    selectedMethod,
  });
  return html`<fieldset id="methods" tabindex="-1"${error && html` aria-describedby="methods-error"`}>
<legend><h2>${choose.title}</h2></legend>
${error && html`<p class="field-error" id="methods-error">${error}</p>`}
<div class="methods">${visibleCountries.map(renderGroup)}
${collapsedCountries.length > 0 && html`<details class="countries"><summary>${choose.otherCountries}</summary>${collapsedCountries.map(renderGroup)}</details>`}</div>
</fieldset>`;
}

function countryGroup(
  i18n: PageI18n,
  { country, quotes }: CountryMethods,
  selectedMethod: string | undefined,
): Html {
  const id = `country-${country}`;
  return html`<div class="country" role="group" aria-labelledby="${id}"><h3 id="${id}">${regionName(i18n, country)}</h3>
${quotes.map((quote) => methodRow(i18n, quote, quote.method === selectedMethod))}</div>`;
}

function methodRow(i18n: PageI18n, quote: MethodQuote, isSelected: boolean): Html {
  const { icon } = paymentMethods[quote.method];
  const { apps } = customerApps[quote.method];
  return html`<label class="method"><input type="radio" name="method" value="${quote.method}" required${isSelected && html` checked`}>
<img src="${icon}" alt="" width="40" height="40">
<span class="method-name">${i18n.strings.methods[quote.method]}${apps !== '' && html` <small>${apps}</small>`}</span>
${amount(i18n, quote.customerMoney)}</label>`;
}

/** Sorts countries: first the reader's likely ones, then the merchant's, then those with the currency of the price. */
function sortByRelevance(i18n: PageI18n, offer: PaymentOffer): CountryMethods[] {
  const groups = Map.groupBy(offer.quotes, ({ method }) => paymentMethods[method].country);
  const getRank = ({ country, quotes }: CountryMethods) => {
    const region = i18n.regions.indexOf(country);
    if (region !== -1) return region;
    const isPriceCurrency = quotes.some(
      ({ customerMoney }) => customerMoney.currency === offer.money.currency,
    );
    if (country === offer.merchant.country) return i18n.regions.length;
    return i18n.regions.length + (isPriceCurrency ? 1 : 2);
  };
  return [...groups]
    .map(([country, quotes]) => ({ country, quotes }))
    .sort((a, b) => getRank(a) - getRank(b));
}

/**
 * Returns the visible and the collapsed countries. No country is collapsed if no method is local, or if few methods are
 * not local. The country of the selected method stays visible.
 */
function splitCollapsed(
  i18n: PageI18n,
  merchant: Merchant,
  { countries, selectedMethod }: { countries: CountryMethods[]; selectedMethod: string | undefined },
): [CountryMethods[], CountryMethods[]] {
  const isReaderLocal = ({ country }: CountryMethods) => i18n.regions.includes(country);
  const isLocal = countries.some(isReaderLocal)
    ? isReaderLocal
    : ({ country }: CountryMethods) => country === merchant.country;
  const isVisible = (group: CountryMethods) =>
    isLocal(group) || group.quotes.some(({ method }) => method === selectedMethod);
  const others = countries.filter((group) => !isVisible(group));
  const otherMethodCount = others.flatMap(({ quotes }) => quotes).length;
  return !countries.some(isLocal) || otherMethodCount <= expandedOthersMax
    ? [countries, []]
    : [countries.filter(isVisible), others];
}
