import type { Merchant } from '../../../prisma/client/client.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** Renders a link to the merchant's support email address, if there is one. */
export function contactLink(
  { strings }: PageI18n,
  { merchant, subject }: { merchant: Merchant; subject: string },
): Html | undefined {
  if (merchant.supportEmail === '') return undefined;
  const url = `mailto:${merchant.supportEmail}?subject=${encodeURIComponent(subject)}`;
  return html`<p><a href="${url}">${fillText(strings.page.contact, { merchant: getDisplayName(merchant) })}</a></p>`;
}
