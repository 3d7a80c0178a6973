import { roleTexts } from '../../components/role-texts.ts';
import { formatAmount } from '../../format/amount.ts';
import { capitalize, formatCode, formatMethod } from '../../format/labels.ts';
import { formatList } from '../../format/list.ts';
import { formatMoment } from '../../format/moment.ts';
import { formatTimeZone } from '../../format/time-zones.ts';
import { t } from '../../language/texts.ts';

const channelTexts = { email: t.common.email, chat: t.account.chat };
const topicTexts = {
  Payments: t.common.payments,
  Reviews: t.common.needsReview,
  Endpoints: t.common.webhooks,
  Accounts: t.account.bankFeedsAndAccounts,
};
/** The texts of notification settings, such as `emailPayments`. */
const noticeTexts = Object.fromEntries(
  Object.entries(channelTexts).flatMap(([channel, channelText]) =>
    Object.entries(topicTexts).map(([topic, text]) => [`${channel}${topic}`, `${text} · ${channelText}`]),
  ),
);

/** The text for each detail of an entry. Unknown details, of a newer server, are shown by their code. */
const detailTexts: Record<string, string> = {
  ...noticeTexts,
  account: t.common.account,
  accountName: t.common.name,
  additionalPhoneCountries: t.settings.additionalPhoneCountries,
  allowedAddresses: t.bankFeed.allowedIpAddresses,
  allowedOrigins: t.apiKey.allowedOrigins,
  amount: t.common.amount,
  assigneeId: t.review.reviewedBy,
  authentication: t.bankFeed.authentication,
  bank: t.common.bank,
  before: t.audit.previousStatus,
  brandColor: t.settings.brandColor,
  channel: t.message.channel,
  charge: t.common.charge,
  charges: t.common.charges,
  chatHost: t.account.chatAddress,
  concurrency: t.webhook.concurrency,
  country: t.settings.country,
  credentials: t.audit.credentials,
  currency: t.common.currency,
  deliveryId: t.bankFeed.delivery,
  discrepancies: t.audit.discrepancies,
  displayName: t.settings.displayName,
  duplicateOfId: t.audit.duplicateOf,
  email: t.common.email,
  emailReceipts: t.settings.emailReceipts,
  endedCount: t.audit.endedSessions,
  eventTypes: t.webhook.events,
  expiresAt: t.common.expires,
  format: t.statement.format,
  holder: t.receivingAccount.holder,
  isEnabled: t.common.status,
  isPaused: t.common.paused,
  isSecureModeEnabled: t.settings.secureMode,
  isSigned: t.webhook.signNotificationsStandardWebhooks,
  isTwoFactorRequired: t.settings.requireTwoFactorAuthentication,
  kind: t.common.type,
  logo: t.settings.logo,
  markup: t.settings.exchangeRateMarkup,
  maxAmount: t.receivingAccount.maximumAmount,
  maxAmountOffset: t.audit.maximumAddedForUniqueAmounts,
  maxBankFee: t.audit.maximumBankFee,
  maxBankFeeRate: t.receivingAccount.maximumBankFeeRate,
  maxRateAgeDays: t.settings.maximumRateAgeDays,
  method: t.common.method,
  minAmount: t.receivingAccount.minimumAmount,
  movedTo: t.audit.movedTo,
  name: t.common.name,
  notificationVersion: t.webhook.version,
  operations: t.operator.operations,
  overlapHours: t.audit.overlapHours,
  password: t.common.password,
  paymentWindowMinutes: t.receivingAccount.paymentWindowMinutes,
  paymentWindows: t.settings.paymentWindows,
  permissions: t.apiKey.permissions,
  plan: t.common.plan,
  postalAddress: t.settings.postalAddress,
  previousKeyExpiresAt: t.audit.previousKeyExpires,
  price: t.common.price,
  privacyUrl: t.settings.privacyPolicy,
  rate: t.charge.exchangeRate,
  ratePerSecond: t.webhook.rateLimitPerSecond,
  reason: t.common.reason,
  reauthenticationMinutes: t.settings.askForATwo,
  receivingAccounts: t.common.receivingAccounts,
  recordedCount: t.audit.recordedTransfers,
  redirectSchemes: t.settings.urlSchemesOfApps,
  refunds: t.common.refunds,
  remaining: t.audit.remainingCodes,
  replacedBy: t.audit.replacedBy,
  replacedById: t.audit.replacedBy,
  resumesAt: t.audit.resumesAt,
  reusesBankReferences: t.receivingAccount.theBankReusesIts,
  role: t.user.role,
  sameBankAccounts: t.receivingAccount.sameBankAccountAs,
  signingSecret: t.webhook.signingSecret,
  signsFrom: t.certificate.startDate,
  silenceMinutes: t.bankFeed.alertAfterSilenceMinutes,
  status: t.common.status,
  supportEmail: t.settings.supportEmail,
  taxNumber: t.settings.taxNumber,
  termsUrl: t.settings.terms,
  text: t.review.text,
  timeZone: t.components.timeZone,
  transferCount: t.common.transfers,
  underpaymentTolerance: t.settings.underpaymentTolerance,
  url: t.webhook.url,
  username: t.webhook.username,
  websiteUrl: t.settings.website,
  weight: t.receivingAccount.trafficWeight,
};

/** Codes in the details that have a text of their own. */
const codeTexts: Record<string, string> = {
  ...t.methods,
  ...Object.fromEntries(Object.entries(roleTexts).map(([role, { name }]) => [role, name])),
  charges: t.common.charges,
  refunds: t.common.refunds,
  transfers: t.common.transfers,
  customers: t.common.customers,
  on: t.components.on,
  off: t.common.off,
  at_once: t.account.atOnce,
  daily: t.account.dailyAt0800,
  changed: t.audit.changed,
  active: t.common.active,
  retired: t.common.deactivated,
};

/** Fields with texts that a person entered, which are shown unchanged. */
const freeTexts = new Set([
  'name',
  'text',
  'email',
  'displayName',
  'postalAddress',
  'reason',
  'holder',
  'bank',
]);

/** Returns the changes of an entry, for example `Role` and `Cashier → Owner`, without empty values. */
export function formatChanges(detailsJson: string): [name: string, change: string][] {
  return toChanges(JSON.parse(detailsJson) as Record<string, unknown>)
    .map(([name, value]): [string, string] => [
      detailTexts[name] ?? formatFieldName(name),
      isChange(value)
        ? `${formatValue(name, value.from) || t.common.none} → ${formatValue(name, value.to) || t.common.none}`
        : formatValue(name, value),
    ])
    .filter(([, change]) => change !== '');
}

/** Joins amounts with their currency. Omits unchanged values, and the version, which only the service needs. */
function toChanges({
  amount,
  price,
  currency,
  before,
  version: _,
  ...rest
}: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(rest).filter(([, value]) => !isChange(value) || value.from !== value.to);
  const toMoney = (value: unknown) =>
    typeof value === 'string' && typeof currency === 'string' ? formatAmount(value, currency) : value;
  if (before !== undefined) entries.unshift(['before', before]);
  if (isChange(price)) entries.push(['price', { from: toMoney(price.from), to: toMoney(price.to) }]);
  if (amount !== undefined) entries.unshift(['amount', toMoney(amount)]);
  if (currency !== undefined && amount === undefined && price === undefined)
    entries.unshift(['currency', currency]);
  return entries;
}

/** Formats `allowedOrigins` as `Allowed origins`. */
function formatFieldName(name: string): string {
  return capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

/** Matches a timestamp of the API. */
const instantPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Matches an ID and captures its first characters, which are enough to recognize it. */
const idPattern = /\b([a-z]{2,5}_[0-9a-z]{9,13})[0-9a-z]{8,}/g;

function formatValue(field: string, value: unknown): string {
  if (Array.isArray(value)) return formatList(value.map((item) => formatValue(field, item)));
  if (typeof value === 'boolean') return value ? t.components.on : t.common.off;
  if (typeof value === 'object' && value !== null)
    return formatList(
      Object.entries(value).map(
        ([name, innerValue]) =>
          `${codeTexts[name] ?? detailTexts[name] ?? formatCode(name)} ${formatValue(name, innerValue)}`,
      ),
    );
  const text = String(value ?? '');
  if (freeTexts.has(field)) return text;
  if (instantPattern.test(text)) return formatMoment(text, 'long');
  if (field === 'method') return formatMethod(text);
  if (field === 'timeZone') return formatTimeZone(text);
  return codeTexts[text] ?? text.replace(idPattern, '$1…');
}
