import type { CheckoutLink, Merchant } from '../../../../prisma/client/client.ts';
import { getDisplayName, toLogo } from '../../../kit/brand.ts';
import { fillText } from '../../../language/fill-text.ts';
import { formatMoney, getLocale } from '../../../language/format.ts';
import { type Language, languages } from '../../../language/languages.ts';
import type { Service } from '../../platform/service.ts';
import { getCheckoutLinkUrl } from '../customer-page/checkout-url.ts';
import { getPayUrl } from '../customer-page/pay-url.ts';

/** The preview of a link in messengers and the URL of its poster, in one language. */
export type SharedLink = {
  url: string;
  title: string;
  description: string;
  siteName: string;
  imageUrl: string | null;
  posterUrl: string;
};

/** Returns the URLs and the preview of a link in a language. The preview equals the Open Graph tags of the page. */
export function shareLink(
  service: Service,
  { link, merchant, language }: { link: CheckoutLink; merchant: Merchant; language: Language },
): SharedLink {
  const strings = languages[language];
  const siteName = getDisplayName(merchant);
  const { amount: minor, currency } = link;
  const logo = toLogo(merchant.logo);
  return {
    url: `${getCheckoutLinkUrl(service, link)}&lang=${language}`,
    title:
      minor === null
        ? fillText(strings.summary.pay, { merchant: siteName })
        : fillText(strings.pay.title, {
            amount: formatMoney(getLocale(language), { minor, currency }),
            merchant: siteName,
          }),
    description: strings.page.description,
    siteName,
    imageUrl: logo ? `${service.settings.publicUrl}${logo.path}` : null,
    posterUrl: getPosterUrl(service, link, language),
  };
}

/**
 * The URL contains a token that only the merchant can get, because the poster shows the name of the link,
 * which the page of the link does not show.
 */
function getPosterUrl(service: Service, link: CheckoutLink, language: Language): string {
  const url = new URL(getPayUrl(service, 'poster', link));
  url.searchParams.set('lang', language);
  return url.href;
}
