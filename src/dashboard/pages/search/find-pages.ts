import { formatMethod } from '../../format/labels.ts';
import type { Mode } from '../../graphql/client.ts';
import { locale, t } from '../../language/texts.ts';
import { type MerchantNavItem, navGroups } from '../../shell/nav-groups.ts';
import type { ViewerPermission } from '../../viewer.ts';
import type { MethodRegion } from '../payment-methods.ts';

/** A page or a setting that the search finds by its title. */
type PageEntry = {
  path: string;
  title: string;
  detail: string;
  /** More words by which it is found. */
  keywords?: string;
} & Pick<MerchantNavItem, 'isSandboxOnly' | 'isOwnerOnly' | 'permission'>;

const settingTitles = [
  t.settings.shopName,
  t.settings.logo,
  t.settings.brandColor,
  t.settings.displayName,
  t.settings.supportEmail,
  t.settings.website,
  t.settings.terms,
  t.settings.privacyPolicy,
  t.settings.country,
  t.settings.emailReceipts,
  t.settings.exchangeRateMarkup,
  t.settings.underpaymentTolerance,
  t.settings.paymentWindows,
  t.settings.postalAddress,
  t.settings.taxNumber,
  t.settings.security,
  t.settings.secureMode,
  t.settings.requireTwoFactorAuthentication,
  t.settings.additionalPhoneCountries,
];

const accountTitles = [
  t.account.changeEmail,
  t.common.password,
  t.account.twoFactorAuthentication,
  t.common.notifications,
];

const entries: readonly PageEntry[] = [
  { path: '/', title: t.home.home, detail: '' },
  ...navGroups.flatMap(({ title: detail, items }) =>
    items.map(({ to: path, label: title, isSandboxOnly, isOwnerOnly, permission }) => ({
      path,
      title,
      detail,
      ...(isSandboxOnly && { isSandboxOnly }),
      ...(isOwnerOnly && { isOwnerOnly }),
      ...(permission && { permission }),
    })),
  ),
  { path: '/account', title: t.account.yourAccount, detail: '' },
  ...settingTitles.map((title) => ({ path: '/settings', title, detail: t.common.settings })),
  { path: '/help/operations/exchange-rates', title: t.search.setUpExchangeRates, detail: t.help.help },
  ...accountTitles.map((title) => ({ path: '/account', title, detail: t.account.yourAccount })),
];

const pagesMax = 6;

const countryNames = new Intl.DisplayNames(locale, { type: 'region' });

/**
 * Returns the pages, the settings and the receiving accounts of payment methods for which each word of the text begins
 * a word of the title or the keywords, without pages that the user cannot use in this mode. In languages without
 * spaces, the text may begin anywhere.
 */
export function findPages(
  text: string,
  options: {
    methods: readonly MethodRegion[];
    mode: Mode;
    isOwner: boolean;
    permissions: readonly ViewerPermission[];
  },
): readonly PageEntry[] {
  const { methods, mode, isOwner, permissions } = options;
  const words = splitWords(text);
  if (text.length < 2 || words.length === 0) return [];
  const detail = t.common.receivingAccounts;
  const accounts = methods.map(
    ({ method, country, currency }): PageEntry => ({
      path: '/receiving-accounts',
      title: formatMethod(method),
      detail,
      keywords: `${countryNames.of(country)} ${currency} ${detail}`,
    }),
  );
  return [...entries, ...accounts]
    .filter((page) => (mode === 'sandbox' || !page.isSandboxOnly) && (isOwner || !page.isOwnerOnly))
    .filter(({ permission }) => !permission || permissions.includes(permission))
    .filter(({ title, keywords = '' }) =>
      words.every((word) => hasWordBeginning(`${title} ${keywords}`, word)),
    )
    .slice(0, pagesMax);
}

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

function hasWordBeginning(title: string, beginning: string): boolean {
  return /[\p{Script=Han}\p{Script=Thai}]/u.test(title)
    ? title.toLowerCase().includes(beginning)
    : splitWords(title).some((word) => word.startsWith(beginning));
}
