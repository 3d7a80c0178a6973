import type { Merchant, Prisma } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { isCountryCode } from '../../../kit/contact.ts';
import type { Db } from '../../../kit/db.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { checkText, checkTrimmed } from '../../../kit/text.ts';
import { checkTimeZone } from '../../../kit/time-zone.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import { parseMethod } from '../../platform/parse-methods.ts';
import { forbiddenSchemes } from '../../platform/target-url.ts';
import { type RequestContext, requireOwner, requirePermission } from '../api-key/permissions.ts';
import { parseLogo, storeLogo } from './logo.ts';
import { type PageSettings, type PageSettingsInput, parsePageSettings } from './parse-page-settings.ts';

/**
 * Changes a merchant's settings, which apply to both modes (see `requireMerchantWideAccess`). The audit trail
 * records old and new values. Only an owner can change how users authenticate, because an API key must not be
 * able to weaken sign-in.
 * Errors: `permission_denied`, `invalid_request`.
 */
export async function updateMerchantSettings(
  db: Db,
  options: RequestContext & { input: MerchantSettingsInput },
): Promise<Merchant> {
  const { caller, input, now, ipAddress } = options;
  requireMerchantWideAccess(caller, 'settings');
  const logo = input.logo == null ? undefined : parseLogo(input.logo, caller.merchant.id);
  const settings = {
    ...parseSettings(input),
    ...(input.logo !== undefined && { logo: logo?.key ?? '' }),
  };
  if (settings.isTwoFactorRequired !== undefined || settings.reauthenticationMinutes !== undefined)
    requireOwner(caller, 'change how users sign in');
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, caller.merchant.id);
    const detail = diffSettings(before, settings);
    if (Object.keys(detail).length === 0) return before;
    const data = { ...settings, updatedAt: now };
    const merchant = await uow.tx.merchant.update({ where: { id: before.id }, data });
    if (merchant.logo !== before.logo) await storeLogo(uow.tx, before.id, logo);
    const { actor } = caller;
    const entry = { merchantId: before.id, actor, ipAddress, objectId: before.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'settings.updated' });
    return merchant;
  });
}

/** Returns the changed settings with their old and new values, as JSON. */
function diffSettings(before: Merchant, settings: Partial<MerchantSettings>): Prisma.InputJsonObject {
  const entries = Object.entries(settings).flatMap(([name, value]) => {
    const from = toJson(before[name as keyof MerchantSettings]);
    const to = toJson(value);
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[name, { from, to }] as const];
  });
  return Object.fromEntries(entries);
}

function toJson(value: unknown): Prisma.InputJsonValue {
  if (typeof value !== 'object' || value === null) return value as Prisma.InputJsonValue;
  if ('toFixed' in value) return (value as { toFixed(): string }).toFixed();
  if (Array.isArray(value)) return value as Prisma.InputJsonArray;
  return Object.fromEntries(Object.entries(value).sort()) as Prisma.InputJsonObject;
}

/**
 * Requires an owner, or a live key with `manage`, for changes that apply to both modes. A sandbox key does not suffice,
 * because sandbox keys are shared for testing. Throws `permission_denied`, with `subject` in the message.
 */
function requireMerchantWideAccess(caller: RequestContext['caller'], subject: string): void {
  if (caller.user) {
    if (caller.user.role === 'owner') return;
    throw new DomainError('permission_denied', `Only an owner can change the ${subject}`);
  }
  requirePermission(caller, 'manage');
  if (caller.mode === 'live') return;
  throw new DomainError('permission_denied', `The ${subject} also apply to live mode: use a live key`);
}

const underpaymentToleranceMax = '0.02';
const exchangeRateMarkupMax = '0.1';
const fractionDecimalsMax = 4;
const schemesMax = 20;
const paymentWindowMinutesRange = { min: 5, max: 30 * 24 * 60 };
const rateAgeDaysRange = { min: 1, max: 31 };
const reauthenticationMinutesRange = { min: 1, max: 60 };
const postalAddressLengthMax = 500;
const postalAddressLinesMax = 8;
const taxNumberLengthMax = 60;

/** How long a charge with a payment method waits for the payment. */
type PaymentWindow = { method: string; minutes: number };

/**
 * Omitted and null settings stay unchanged, except that null removes `postalAddress`, `taxNumber`, `logo` and the
 * values of `PageSettingsInput`. A list replaces the previous list.
 */
type MerchantSettingsInput = PageSettingsInput & {
  /** A PNG file in Base64. Null removes the logo. */
  logo?: string | null | undefined;
  timeZone?: string | null | undefined;
  /** Printed on invoices with its line breaks. Null or an empty text removes the address. */
  postalAddress?: string | null | undefined;
  /** Printed on invoices. Null or an empty text removes the number. */
  taxNumber?: string | null | undefined;
  isSecureModeEnabled?: boolean | null | undefined;
  areReceiptsEmailed?: boolean | null | undefined;
  /** A decimal fraction, for example `0.015`, as is `exchangeRateMarkup`. */
  underpaymentTolerance?: string | null | undefined;
  exchangeRateMarkup?: string | null | undefined;
  redirectSchemes?: readonly string[] | null | undefined;
  paymentWindows?: readonly PaymentWindow[] | null | undefined;
  additionalPhoneCountries?: readonly string[] | null | undefined;
  maxRateAgeDays?: number | null | undefined;
  isTwoFactorRequired?: boolean | null | undefined;
  reauthenticationMinutes?: number | null | undefined;
};

type MerchantSettings = Pick<
  Merchant,
  | 'logo'
  | 'timeZone'
  | 'postalAddress'
  | 'taxNumber'
  | 'isSecureModeEnabled'
  | 'emailReceipts'
  | 'underpaymentTolerance'
  | 'markup'
  | 'redirectSchemes'
  | 'additionalPhoneCountries'
  | 'maxRateAgeDays'
  | 'isTwoFactorRequired'
  | 'reauthenticationMinutes'
> &
  PageSettings & { paymentWindows: Partial<Record<MethodCode, number>> };

function parseSettings(input: MerchantSettingsInput): Partial<MerchantSettings> {
  const {
    timeZone,
    isSecureModeEnabled,
    areReceiptsEmailed: emailReceipts,
    redirectSchemes,
    paymentWindows,
    additionalPhoneCountries: countries,
  } = input;
  return {
    ...parsePageSettings(input),
    ...(timeZone != null && { timeZone: checkTimeZone(timeZone) }),
    ...(input.postalAddress !== undefined && {
      postalAddress: parsePostalAddress(input.postalAddress ?? ''),
    }),
    ...(input.taxNumber !== undefined && {
      taxNumber: checkTrimmed(input.taxNumber, '/taxNumber', taxNumberLengthMax),
    }),
    ...(isSecureModeEnabled != null && { isSecureModeEnabled }),
    ...(emailReceipts != null && { emailReceipts }),
    ...(input.underpaymentTolerance != null && {
      underpaymentTolerance: parseFraction(
        input.underpaymentTolerance,
        '/underpaymentTolerance',
        underpaymentToleranceMax,
      ),
    }),
    ...(input.exchangeRateMarkup != null && {
      markup: parseFraction(input.exchangeRateMarkup, '/exchangeRateMarkup', exchangeRateMarkupMax),
    }),
    ...(redirectSchemes != null && { redirectSchemes: parseSchemes(redirectSchemes) }),
    ...(paymentWindows != null && { paymentWindows: parseWindows(paymentWindows) }),
    ...(countries != null && { additionalPhoneCountries: parseCountries(countries) }),
    ...(input.maxRateAgeDays != null && {
      maxRateAgeDays: checkInteger(input.maxRateAgeDays, '/maxRateAgeDays', rateAgeDaysRange),
    }),
    ...(input.isTwoFactorRequired != null && { isTwoFactorRequired: input.isTwoFactorRequired }),
    ...(input.reauthenticationMinutes != null && {
      reauthenticationMinutes: checkInteger(
        input.reauthenticationMinutes,
        '/reauthenticationMinutes',
        reauthenticationMinutesRange,
      ),
    }),
  };
}

/** Returns the text with trimmed lines and without empty lines. */
function parsePostalAddress(text: string): string {
  const lines = checkText(text, '/postalAddress', postalAddressLengthMax)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > postalAddressLinesMax)
    throw invalidInputError('/postalAddress', `must have at most ${postalAddressLinesMax} lines`);
  return lines.join('\n');
}

function parseFraction(text: string, path: string, max: string): Decimal {
  const fraction = /^\d{1,3}(?:\.\d{1,20})?$/.test(text) ? new Decimal(text) : undefined;
  if (!fraction || fraction.gt(max) || fraction.decimalPlaces() > fractionDecimalsMax) {
    throw invalidInputError(
      path,
      `must be a number from 0 to ${max} with at most ${fractionDecimalsMax} decimal places`,
    );
  }
  return fraction;
}

/** Returns valid URL schemes (RFC 3986) in lower case. */
function parseSchemes(schemes: readonly string[]): string[] {
  if (schemes.length > schemesMax)
    throw invalidInputError('/redirectSchemes', `must have at most ${schemesMax} entries`);
  const parsed = schemes.map((input, i) => {
    const scheme = input.toLowerCase();
    const isValidScheme = /^[a-z][a-z0-9+.-]{0,63}$/.test(scheme) && !forbiddenSchemes.has(`${scheme}:`);
    if (!isValidScheme || ['http', 'https'].includes(scheme)) {
      throw invalidInputError(
        `/redirectSchemes/${i}`,
        'must be an app’s URL scheme without a colon, such as myshop',
      );
    }
    return scheme;
  });
  return [...new Set(parsed)].sort();
}

function parseWindows(windows: readonly PaymentWindow[]): Partial<Record<MethodCode, number>> {
  const parsed: Partial<Record<MethodCode, number>> = {};
  for (const [i, { method: text, minutes }] of windows.entries()) {
    const path = `/paymentWindows/${i}`;
    const method = parseMethod(text, `${path}/method`);
    if (parsed[method] !== undefined)
      throw invalidInputError(`${path}/method`, 'must not repeat a method of another entry');
    parsed[method] = checkInteger(minutes, `${path}/minutes`, paymentWindowMinutesRange);
  }
  return parsed;
}

function parseCountries(countries: readonly string[]): string[] {
  const invalidIndex = countries.findIndex((country) => !isCountryCode(country));
  if (invalidIndex !== -1)
    throw invalidInputError(
      `/additionalPhoneCountries/${invalidIndex}`,
      'must be an ISO 3166 country code, such as GB',
    );
  return [...new Set(countries)].sort();
}
