import type { Merchant } from '../../../../prisma/client/client.ts';
import { parseEmail } from '../../../kit/contact.ts';
import { DomainError, type InputError, invalidInputError } from '../../../kit/errors.ts';
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

const parsers: Record<keyof PageSettings, (text: string, path: string) => string> = {
  name: (text) => checkMerchantName(text),
  displayName: (text, path) => checkText(text, path, displayNameLengthMax),
  brandColor: parseColor,
  supportEmail: parseEmail,
  websiteUrl: parseWebUrl,
  termsUrl: parseWebUrl,
  privacyUrl: parseWebUrl,
  country: parseCountry,
};

/** Returns the validated settings to be changed. Throws 400 with the paths of all invalid settings. */
export function parsePageSettings(input: PageSettingsInput): Partial<PageSettings> {
  const settings: Partial<PageSettings> = {};
  const errors: InputError[] = [];
  for (const name of Object.keys(parsers) as (keyof PageSettings)[]) {
    const isRequired = name === 'name';
    if (input[name] === undefined || (isRequired && input[name] === null)) continue;
    const text = input[name]?.trim() ?? '';
    try {
      settings[name] = text === '' && !isRequired ? '' : parsers[name](text, `/${name}`);
    } catch (error) {
      if (!(error instanceof DomainError) || error.inputErrors.length === 0) throw error;
      errors.push(...error.inputErrors);
    }
  }
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  if (errors.length > 0) throw new DomainError('invalid_request', detail, errors);
  return settings;
}

/** Customers follow these links from a page that asks for money, so they must be encrypted. */
function parseWebUrl(text: string, path: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || text.length > urlLengthMax)
    throw invalidInputError(
      path,
      `must be a web address that begins with https://, of at most ${urlLengthMax} characters`,
    );
  return url.href;
}

function parseColor(text: string, path: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text))
    throw invalidInputError(path, 'must be a color of six hexadecimal digits, such as #0e6b5c');
  return text.toLowerCase();
}

function parseCountry(code: string, path: string): string {
  if (!Object.values(paymentMethods).some(({ country }) => country === code))
    throw invalidInputError(path, 'must be the country of a payment method, such as HK');
  return code;
}
