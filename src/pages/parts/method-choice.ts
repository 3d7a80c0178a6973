import type { MethodQuote } from '../../domain/payments/checkout/quote-methods.ts';
import { paymentMethods } from '../../method/catalogue.ts';
import { amount, regionName } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../reader.ts';
import type { ChooseInput, Offer } from './offer.ts';

type Country = { country: string; quotes: MethodQuote[] };

/** More methods of other countries than these are folded, so that the rest of the form stays in sight. */
const othersUnfoldedMax = 3;

/** The ways to pay, grouped by country. Those of the reader's own come first, and the others fold where they are many. */
export function methodChoice(reader: Reader, offer: Offer, input: ChooseInput | undefined): Html {
  const { choose } = reader.strings;
  const countries = nearestFirst(reader, offer);
  const chosen = input?.method ?? (offer.quotes.length === 1 ? offer.quotes[0]?.method : undefined);
  const fault = input?.faults.method;
  const shown = (group: Country) => countryGroup(reader, group, chosen);
  const [own, others] = splitOff(reader, countries);
  return html`<fieldset id="methods" tabindex="-1"${fault && html` aria-describedby="methods-fault"`}>
<legend><h2>${choose.title}</h2></legend>
${fault && html`<p class="fault" id="methods-fault">${fault}</p>`}
<div class="methods">${own.map(shown)}
${others.length > 0 && html`<details class="countries"${holds(others, chosen) && html` open`}><summary>${choose.otherCountries}</summary>${others.map(shown)}</details>`}</div>
</fieldset>`;
}

function countryGroup(reader: Reader, { country, quotes }: Country, chosen: string | undefined): Html {
  const id = `country-${country}`;
  return html`<div class="country" role="group" aria-labelledby="${id}"><h3 id="${id}">${regionName(reader, country)}</h3>
${quotes.map((quote) => methodRow(reader, quote, quote.method === chosen))}</div>`;
}

function methodRow(reader: Reader, quote: MethodQuote, isChosen: boolean): Html {
  const { icon } = paymentMethods[quote.method];
  const { name } = reader.strings.methods[quote.method];
  return html`<label class="method"><input type="radio" name="method" value="${quote.method}" required${isChosen && html` checked`}>
<img src="${icon}" alt="" width="40" height="40">
<span class="method-name">${name}</span>
${amount(reader, quote.customerMoney)}</label>`;
}

/** The countries of where the reader seems to be, then those of the merchant's currency, then the others. */
function nearestFirst(reader: Reader, offer: Offer): Country[] {
  const groups = Map.groupBy(offer.quotes, ({ method }) => paymentMethods[method].country);
  const distance = ({ country, quotes }: Country) => {
    const region = reader.regions.indexOf(country);
    if (region !== -1) return region;
    const isMerchants = quotes.some(({ customerMoney }) => customerMoney.currency === offer.money.currency);
    return reader.regions.length + (isMerchants ? 0 : 1);
  };
  return [...groups]
    .map(([country, quotes]) => ({ country, quotes }))
    .sort((a, b) => distance(a) - distance(b));
}

/** Those shown at once, and those folded: none, where the reader's country is not known or the others are few. */
function splitOff(reader: Reader, countries: Country[]): [Country[], Country[]] {
  const isOwn = ({ country }: Country) => reader.regions.includes(country);
  const own = countries.filter(isOwn);
  const others = countries.filter((group) => !isOwn(group));
  const count = others.flatMap(({ quotes }) => quotes).length;
  return own.length === 0 || count <= othersUnfoldedMax ? [countries, []] : [own, others];
}

function holds(countries: Country[], method: string | undefined): boolean {
  return countries.some(({ quotes }) => quotes.some((quote) => quote.method === method));
}
