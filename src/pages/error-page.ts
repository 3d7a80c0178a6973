import type { Merchant, Mode } from '../../prisma/client/client.ts';
import { NetworkLimitError } from '../domain/payments/checkout/checkout-slot.ts';
import { DomainError, type ErrorCode } from '../kit/errors.ts';
import type { Strings } from '../language/languages.ts';
import { html } from './html.ts';
import type { PageI18n } from './i18n.ts';
import type { PageContent } from './layout.ts';
import { notice } from './parts/notice.ts';
import { backButton } from './parts/summary.ts';

export type PageErrorKey = keyof Strings['errors'];

/** The text for each domain error that customers may see. All other domain errors have the text `unexpected`. */
const pageErrorByCode: Partial<
  Record<ErrorCode, { key: PageErrorKey; status?: number; showsDetail?: true }>
> = {
  session_not_found: { key: 'notFound' },
  charge_not_found: { key: 'notFound' },
  refund_not_found: { key: 'notFound' },
  checkout_link_not_found: { key: 'notFound' },
  subscription_not_found: { key: 'notFound' },
  subscription_plan_not_found: { key: 'notFound' },
  invoice_not_found: { key: 'notFound' },
  link_closed: { key: 'linkClosed' },
  // A 401 could make the browser ask for a password.
  unauthenticated: { key: 'unknownKey', status: 404 },
  account_disabled: { key: 'disabled' },
  rate_limited: { key: 'rateLimited' },
  unavailable: { key: 'unavailable' },
  hash_required: { key: 'hashRequired' },
  hash_mismatch: { key: 'hashMismatch' },
  invalid_request: { key: 'invalid', showsDetail: true },
  currency_unsupported: { key: 'invalid', showsDetail: true },
  target_refused: { key: 'invalid', showsDetail: true },
  method_unavailable: { key: 'noPaymentMethod', showsDetail: true },
  amount_out_of_range: { key: 'noPaymentMethod', showsDetail: true },
  rate_unavailable: { key: 'noPaymentMethod', showsDetail: true },
  rate_stale: { key: 'noPaymentMethod', showsDetail: true },
};

/** The merchant to return to from an error page. */
export type ReturnTarget = { merchant: Merchant; mode: Mode; redirectUrl: string | null };

/** An error that a page route throws; domain operations throw `DomainError`. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly key: PageErrorKey;
  readonly status: number;
  readonly returnTarget: ReturnTarget | undefined;

  constructor(key: PageErrorKey, status: number, returnTarget?: ReturnTarget) {
    super(key);
    this.key = key;
    this.status = status;
    this.returnTarget = returnTarget;
  }
}

/** Returns the page for an expected error, or `undefined` for an internal error. */
export function toErrorPage(
  i18n: PageI18n,
  error: unknown,
  returnTarget?: ReturnTarget,
): PageContent | undefined {
  if (error instanceof PageError) return errorPage(i18n, error.key, error);
  return error instanceof DomainError ? domainErrorPage(i18n, error, returnTarget) : undefined;
}

function domainErrorPage(
  i18n: PageI18n,
  error: DomainError,
  returnTarget: ReturnTarget | undefined,
): PageContent {
  if (error instanceof NetworkLimitError)
    return errorPage(i18n, 'tooManyOpenPayments', { status: error.status, returnTarget });
  // The page of `rate_limited` asks customers to wait an hour, which is too long for a limit of seconds.
  if (error.code === 'rate_limited' && isShortRateLimit(error))
    return errorPage(i18n, 'unavailable', { status: error.status, returnTarget });
  const pageError = pageErrorByCode[error.code];
  if (!pageError) return errorPage(i18n, 'unexpected', { status: error.status, returnTarget });
  const { key, status = error.status, showsDetail } = pageError;
  return errorPage(i18n, key, {
    status,
    returnTarget,
    ...(showsDetail && { detail: getErrorDetail(error) }),
  });
}

function isShortRateLimit({ retryAfterSeconds }: DomainError): boolean {
  return retryAfterSeconds !== undefined && retryAfterSeconds <= 60;
}

/** Returns the message, after the name of the invalid URL parameter, which the error gives as a JSON pointer. */
function getErrorDetail(error: DomainError): string {
  const [inputError] = error.inputErrors;
  return inputError ? `${inputError.path.slice(1)} ${inputError.message}` : error.message;
}

/** Returns a page that explains the problem and what to do next. It never shows internal details. */
export function errorPage(
  i18n: PageI18n,
  key: PageErrorKey,
  options: { status: number; detail?: string; returnTarget?: ReturnTarget | undefined },
): PageContent {
  const { title, text, help } = i18n.strings.errors[key];
  const { status, detail, returnTarget } = options;
  const body = html`<p>${text}</p>${detail !== undefined && html`<p class="aside" lang="en">${detail}</p>`}<p>${help}</p>
${returnTarget && backButton(i18n, returnTarget)}`;
  const main = notice({ tone: 'error', title, body });
  return {
    status,
    title,
    main,
    ...(returnTarget && {
      merchant: returnTarget.merchant,
      mode: returnTarget.mode,
      demo: returnTarget.merchant.demo,
    }),
  };
}
