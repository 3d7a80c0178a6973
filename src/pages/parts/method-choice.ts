import type { MethodQuote } from '../../domain/payments/checkout/quote-methods.ts';
import { paymentMethods } from '../../method/catalogue.ts';
import { amount, regionName } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { ChooseInput, PaymentOffer } from './offer.ts';

type CountryMethods = { country: string; quotes: MethodQuote[] };

/** More methods of other countries are collapsed, so that the rest of the form stays visible. */
const expandedOthersMax = 3;

/** Renders the payment methods, grouped by country. The reader's own country comes first; many others are collapsed. */
export function methodChoice(i18n: PageI18n, offer: PaymentOffer, input: ChooseInput | undefined): Html {
  const { choose } = i18n.strings;
  const countries = sortByDistance(i18n, offer);
  const selectedMethod = input?.method ?? (offer.quotes.length === 1 ? offer.quotes[0]?.method : undefined);
  const error = input?.errors.method;
  const renderGroup = (group: CountryMethods) => countryGroup(i18n, group, selectedMethod);
  const [localCountries, others] = splitLocal(i18n, countries);
  return html`<fieldset id="methods" tabindex="-1"${error && html` aria-describedby="methods-fault"`}>
<legend><h2>${choose.title}</h2></legend>
${error && html`<p class="fault" id="methods-fault">${error}</p>`}
<div class="methods">${localCountries.map(renderGroup)}
${others.length > 0 && html`<details class="countries"${includesMethod(others, selectedMethod) && html` open`}><summary>${choose.otherCountries}</summary>${others.map(renderGroup)}</details>`}</div>
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
  const { name } = i18n.strings.methods[quote.method];
  return html`<label class="method"><input type="radio" name="method" value="${quote.method}" required${isSelected && html` checked`}>
<img src="${icon}" alt="" width="40" height="40">
<span class="method-name">${name}</span>
${amount(i18n, quote.customerMoney)}</label>`;
}

/** Sorts the reader's likely countries first, then those of the merchant's currency, then the others. */
function sortByDistance(i18n: PageI18n, offer: PaymentOffer): CountryMethods[] {
  const groups = Map.groupBy(offer.quotes, ({ method }) => paymentMethods[method].country);
  const distance = ({ country, quotes }: CountryMethods) => {
    const region = i18n.regions.indexOf(country);
    if (region !== -1) return region;
    const isMerchantCurrency = quotes.some(
      ({ customerMoney }) => customerMoney.currency === offer.money.currency,
    );
    return i18n.regions.length + (isMerchantCurrency ? 0 : 1);
  };
  return [...groups]
    .map(([country, quotes]) => ({ country, quotes }))
    .sort((a, b) => distance(a) - distance(b));
}

/**
 * Returns the visible and the collapsed countries. Collapses none if the reader's country is
 * unknown or there are few others.
 */
function splitLocal(i18n: PageI18n, countries: CountryMethods[]): [CountryMethods[], CountryMethods[]] {
  const isLocal = ({ country }: CountryMethods) => i18n.regions.includes(country);
  const localCountries = countries.filter(isLocal);
  const others = countries.filter((group) => !isLocal(group));
  const count = others.flatMap(({ quotes }) => quotes).length;
  return localCountries.length === 0 || count <= expandedOthersMax
    ? [countries, []]
    : [localCountries, others];
}

function includesMethod(countries: CountryMethods[], method: string | undefined): boolean {
  return countries.some(({ quotes }) => quotes.some((quote) => quote.method === method));
}
