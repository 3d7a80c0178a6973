import type { Merchant } from '../../../../prisma/client/client.ts';
import { parseEmail } from '../../../kit/contact.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkText } from '../../../kit/text.ts';
import { paymentMethods } from '../../../method/catalog.ts';
import { checkMerchantName } from './check-merchant-name.ts';

/**
 * The merchant's details on customer pages. Null or an empty text removes a value, except the name; omitted
 * values stay.
 */
export type PageSettingsInput = Partial<
  Record<
    | 'name'
    | 'displayName'
    | 'brandColor'
    | 'supportEmail'
    | 'websiteUrl'
    | 'termsUrl'
    | 'privacyUrl'
    | 'country',
    string | null | undefined
  >
>;

export type PageSettings = Pick<
  Merchant,
  | 'name'
  | 'displayName'
  | 'brandColor'
  | 'supportEmail'
  | 'websiteUrl'
  | 'termsUrl'
  | 'privacyUrl'
  | 'country'
>;

const urlLengthMax = 500;
const displayNameLengthMax = 60;

/** Returns the validated settings to be changed. Throws 400 with the path of the invalid setting. */
export function parsePageSettings(input: PageSettingsInput): Partial<PageSettings> {
  const settings: Partial<PageSettings> = {};
  if (input.name != null) settings.name = checkMerchantName(input.name);
  for (const name of ['websiteUrl', 'termsUrl', 'privacyUrl'] as const)
    if (input[name] !== undefined)
      settings[name] = parseOptional(input[name], (text) => parseWebUrl(text, `/${name}`));
  if (input.displayName !== undefined)
    settings.displayName = parseOptional(input.displayName, (text) =>
      checkText(text, '/displayName', displayNameLengthMax),
    );
  if (input.brandColor !== undefined) settings.brandColor = parseOptional(input.brandColor, parseColor);
  if (input.supportEmail !== undefined)
    settings.supportEmail = parseOptional(input.supportEmail, (text) => parseEmail(text, '/supportEmail'));
  if (input.country !== undefined) settings.country = parseOptional(input.country, parseCountry);
  return settings;
}

function parseOptional(text: string | null | undefined, parse: (text: string) => string): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? '' : parse(trimmed);
}

/** Customers follow these links from a page that asks for money, so they must be encrypted. */
function parseWebUrl(text: string, path: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || text.length > urlLengthMax)
    throw invalidInputError(path, `must be an https URL of at most ${urlLengthMax} characters`);
  return url.href;
}

function parseColor(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text))
    throw invalidInputError('/brandColor', 'must be a color of six hexadecimal digits, such as #0e6b5c');
  return text.toLowerCase();
}

function parseCountry(code: string): string {
  if (!Object.values(paymentMethods).some(({ country }) => country === code))
    throw invalidInputError('/country', 'must be the country of a payment method, such as HK');
  return code;
}
