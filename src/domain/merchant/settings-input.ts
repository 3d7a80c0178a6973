import type { Merchant } from '../../../prisma/client/client.ts';
import { isCountryCode } from '../../kit/contact.ts';
import { Decimal } from '../../kit/decimal.ts';
import { invalidInput } from '../../kit/errors.ts';
import { checkText } from '../../kit/text.ts';
import { checkTimeZone } from '../../kit/time-zone.ts';
import { checkWhole } from '../../kit/whole-number.ts';
import { isMethodCode, type MethodCode } from '../../method/catalogue.ts';
import { neverSchemes } from '../target-url.ts';

const toleranceMax = '0.02';
const markupMax = '0.1';
const shareDecimals = 4;
const schemesMax = 20;
const windowMinutes = { min: 5, max: 30 * 24 * 60 };
const rateAgeDays = { min: 1, max: 31 };
const reauthenticationMinutes = { min: 5, max: 60 };
const addressMax = 500;
const addressLinesMax = 8;

/** Minutes that a charge of a method waits for its money. */
type PaymentWindow = { method: string; minutes: number };

/** What to change; what is left out or null stays as it is, a list takes the place of the whole list. */
export type SettingsInput = {
  timeZone?: string | null | undefined;
  /** As it stands on invoices, line by line; empty: none. */
  postalAddress?: string | null | undefined;
  secureMode?: boolean | null | undefined;
  /** Decimal shares, as text: `0.015`. */
  underpaymentTolerance?: string | null | undefined;
  markup?: string | null | undefined;
  redirectSchemes?: readonly string[] | null | undefined;
  paymentWindows?: readonly PaymentWindow[] | null | undefined;
  phoneCountries?: readonly string[] | null | undefined;
  rateAgeDays?: number | null | undefined;
  requireTwoFactor?: boolean | null | undefined;
  reauthenticationMinutes?: number | null | undefined;
};

/** The settings of a merchant, as one may change them. */
export type Settings = Pick<
  Merchant,
  | 'timeZone'
  | 'postalAddress'
  | 'secureMode'
  | 'underpaymentTolerance'
  | 'markup'
  | 'redirectSchemes'
  | 'phoneCountries'
  | 'rateAgeDays'
  | 'requireTwoFactor'
  | 'reauthenticationMinutes'
> & { paymentWindows: Partial<Record<MethodCode, number>> };

/** The settings that are to change, checked. Error: 400 naming the setting. */
export function parseSettings(input: SettingsInput): Partial<Settings> {
  const { timeZone, secureMode, redirectSchemes, paymentWindows, phoneCountries } = input;
  return {
    ...(timeZone != null && { timeZone: checkTimeZone(timeZone) }),
    ...(input.postalAddress != null && { postalAddress: parseAddress(input.postalAddress) }),
    ...(secureMode != null && { secureMode }),
    ...(input.underpaymentTolerance != null && {
      underpaymentTolerance: parseShare(input.underpaymentTolerance, '/underpaymentTolerance', toleranceMax),
    }),
    ...(input.markup != null && { markup: parseShare(input.markup, '/markup', markupMax) }),
    ...(redirectSchemes != null && { redirectSchemes: parseSchemes(redirectSchemes) }),
    ...(paymentWindows != null && { paymentWindows: parseWindows(paymentWindows) }),
    ...(phoneCountries != null && { phoneCountries: parseCountries(phoneCountries) }),
    ...(input.rateAgeDays != null && {
      rateAgeDays: checkWhole(input.rateAgeDays, '/rateAgeDays', rateAgeDays),
    }),
    ...(input.requireTwoFactor != null && { requireTwoFactor: input.requireTwoFactor }),
    ...(input.reauthenticationMinutes != null && {
      reauthenticationMinutes: checkWhole(
        input.reauthenticationMinutes,
        '/reauthenticationMinutes',
        reauthenticationMinutes,
      ),
    }),
  };
}

/** Lines without what surrounds them; empty ones are left out. */
function parseAddress(text: string): string {
  const lines = checkText(text, '/postalAddress', addressMax)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > addressLinesMax)
    throw invalidInput('/postalAddress', `must have at most ${addressLinesMax} lines`);
  return lines.join('\n');
}

function parseShare(text: string, path: string, max: string): Decimal {
  const share = /^\d{1,3}(?:\.\d{1,20})?$/.test(text) ? new Decimal(text) : undefined;
  if (!share || share.gt(max) || share.decimalPlaces() > shareDecimals) {
    throw invalidInput(path, `must be a share from 0 to ${max} with at most ${shareDecimals} decimals`);
  }
  return share;
}

/** Schemes as RFC 3986 has them, compared in lower case. */
function parseSchemes(schemes: readonly string[]): string[] {
  if (schemes.length > schemesMax)
    throw invalidInput('/redirectSchemes', `may have at most ${schemesMax} entries`);
  const parsed = schemes.map((given, i) => {
    const scheme = given.toLowerCase();
    const isUsable = /^[a-z][a-z0-9+.-]{0,63}$/.test(scheme) && !neverSchemes.has(`${scheme}:`);
    if (!isUsable || ['http', 'https'].includes(scheme)) {
      throw invalidInput(`/redirectSchemes/${i}`, 'must be the scheme of an app, without a colon: myshop');
    }
    return scheme;
  });
  return [...new Set(parsed)].sort();
}

function parseWindows(windows: readonly PaymentWindow[]): Partial<Record<MethodCode, number>> {
  const parsed: Partial<Record<MethodCode, number>> = {};
  for (const [i, { method, minutes }] of windows.entries()) {
    const path = `/paymentWindows/${i}`;
    if (!isMethodCode(method)) throw invalidInput(`${path}/method`, 'must be a payment method');
    if (parsed[method] !== undefined) throw invalidInput(`${path}/method`, 'is named twice');
    parsed[method] = checkWhole(minutes, `${path}/minutes`, windowMinutes);
  }
  return parsed;
}

function parseCountries(countries: readonly string[]): string[] {
  const wrong = countries.findIndex((country) => !isCountryCode(country));
  if (wrong !== -1) throw invalidInput(`/phoneCountries/${wrong}`, 'must be a country code of ISO 3166: GB');
  return [...new Set(countries)].sort();
}
