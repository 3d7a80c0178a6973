import type { Merchant } from '../../../../prisma/client/client.ts';
import { type PosterFacts, posterDocument } from '../../../document/poster-document.ts';
import { getDisplayName } from '../../../kit/brand.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { countryTimeZones } from '../../../method/country-time-zones.ts';
import { getLogo } from '../../accounts/merchant/logo.ts';
import {
  filterAvailableMethods,
  findAvailableMethods,
} from '../../accounts/receiving-account/find-available-methods.ts';
import { findMissingRates } from '../../accounts/receiving-account/find-charge-currencies.ts';
import type { Service } from '../../platform/service.ts';
import { quoteMethods } from '../charge/quote-methods.ts';
import { getCheckoutLinkUrl } from '../customer-page/checkout-url.ts';
import type { PosterLink } from './open-poster.ts';
import { shareLink } from './share-link.ts';

export async function renderPoster(
  service: Service,
  options: PosterLink & { languages: PosterFacts['languages']; now: MerchantTime },
): Promise<Buffer> {
  const { link, merchant, languages, now } = options;
  const [language] = languages;
  const { url } = shareLink(service, { link, merchant, language });
  const methods = await findOfferedMethods(service, { link, merchant, now });
  const facts: PosterFacts = {
    languages,
    merchant: {
      name: getDisplayName(merchant),
      brandColor: merchant.brandColor,
      logo: merchant.logo === '' ? undefined : await getLogo(service, merchant.logo),
    },
    name: link.name,
    money: link.amount === null ? undefined : { minor: link.amount, currency: link.currency },
    // The page behind a poster in two languages opens in the language of the customer’s phone.
    url: languages.length > 1 ? getCheckoutLinkUrl(service, link) : url,
    methods,
    expiry:
      link.expiresAt === null ? undefined : { at: link.expiresAt, timeZone: getTimeZone(merchant, methods) },
    isSandbox: link.mode === 'sandbox',
    isDemo: merchant.demo,
    createdAt: link.createdAt,
  };
  return posterDocument(facts);
}

/** Merchants who have not set a time zone have `UTC`. Their customers are where the first method is. */
function getTimeZone({ timeZone }: Merchant, [method]: readonly MethodCode[]): string {
  return timeZone === 'UTC' && method ? countryTimeZones[paymentMethods[method].country] : timeZone;
}

/** Returns the methods that the page behind the link offers: those that accept its price. */
async function findOfferedMethods(
  service: Service,
  { link, merchant, now }: PosterLink & { now: MerchantTime },
): Promise<MethodCode[]> {
  const { mode, amount, currency } = link;
  const selection = (link.paymentMethods as string[] | null) ?? [];
  if (amount === null) {
    const missingRates = await findMissingRates(service, { merchant, mode, now });
    const isMissing = (method: MethodCode) =>
      missingRates.some(({ from, to }) => from === currency && to === paymentMethods[method].currency);
    const available = await findAvailableMethods(service, link);
    return filterAvailableMethods(available, selection).filter((method) => !isMissing(method));
  }
  const options = { merchant, mode, money: { minor: amount, currency }, methods: selection, now };
  try {
    return (await quoteMethods(service, options)).map(({ method }) => method);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
