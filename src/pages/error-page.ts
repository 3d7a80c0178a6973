import type { Merchant, Mode } from '../../prisma/client/client.ts';
import { NetworkLimitError } from '../domain/payments/customer-page/checkout-slot.ts';
import { LinkReplacedError } from '../domain/payments/customer-page/page-tokens.ts';
import { DomainError, type ErrorCode } from '../kit/errors.ts';
import type { Strings } from '../language/languages.ts';
import { html } from './html.ts';
import type { PageI18n } from './i18n.ts';
import type { PageContent } from './layout.ts';
import { notice } from './parts/notice.ts';
import { backButton } from './parts/summary.ts';

export type PageErrorKey = keyof Strings['errors'];

/** The texts of domain errors. A code that is not listed has the text `unexpected`. */
const pageErrorByCode: Partial<Record<ErrorCode, { key: PageErrorKey; status?: number }>> = {
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
  merchant_paused: { key: 'unavailable' },
  merchant_moved: { key: 'unavailable' },
  hash_required: { key: 'invalid' },
  hash_mismatch: { key: 'invalid' },
  invalid_request: { key: 'invalid' },
  currency_unsupported: { key: 'invalid' },
  target_refused: { key: 'invalid' },
  method_unavailable: { key: 'noPaymentMethod' },
  amount_out_of_range: { key: 'noPaymentMethod' },
  rate_unavailable: { key: 'noPaymentMethod' },
  rate_stale: { key: 'noPaymentMethod' },
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
  if (error instanceof LinkReplacedError)
    return errorPage(i18n, 'linkReplaced', { status: error.status, returnTarget });
  // The page of `rate_limited` asks customers to wait an hour, which is too long for a limit of seconds.
  if (error.code === 'rate_limited' && isShortRateLimit(error))
    return errorPage(i18n, 'unavailable', { status: error.status, returnTarget });
  const pageError = pageErrorByCode[error.code];
  if (!pageError) return errorPage(i18n, 'unexpected', { status: error.status, returnTarget });
  const { key, status = error.status } = pageError;
  return errorPage(i18n, key, { status, returnTarget });
}

function isShortRateLimit({ retryAfterSeconds }: DomainError): boolean {
  return retryAfterSeconds !== undefined && retryAfterSeconds <= 60;
}

/** The time after which the page of an outage reloads, even without scripts. */
const unavailableRetrySeconds = 30;

export function errorPage(
  i18n: PageI18n,
  key: PageErrorKey,
  options: { status: number; returnTarget?: ReturnTarget | undefined },
): PageContent {
  const { title, text, help } = i18n.strings.errors[key];
  const { status, returnTarget } = options;
  const canRetry = key === 'unavailable' || key === 'unexpected' || key === 'rateLimited';
  const body = html`<p>${text}</p><p>${help}</p>${
    canRetry &&
    html`
<a class="button" href="">${i18n.strings.page.retry}</a>`
  }
${returnTarget && backButton(i18n, returnTarget)}`;
  const main = notice({ tone: 'error', title, body });
  return {
    status,
    title,
    main,
    ...(key === 'unavailable' && { retrySeconds: unavailableRetrySeconds }),
    ...(returnTarget && {
      merchant: returnTarget.merchant,
      mode: returnTarget.mode,
      demo: returnTarget.merchant.demo,
    }),
  };
}
