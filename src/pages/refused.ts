import type { Merchant, Mode } from '../../prisma/client/client.ts';
import { NetworkCapReached } from '../domain/payments/checkout/checkout-slot.ts';
import { DomainError, type ErrorCode } from '../kit/errors.ts';
import { html } from './html.ts';
import type { Language } from './languages.ts';
import type { Page } from './layout.ts';
import { notice } from './parts/notice.ts';
import { backButton } from './parts/summary.ts';
import type { Reader } from './reader.ts';

export type Refusal = keyof Language['refused'];

/** What each refusal of the domain says to a customer. Those not named here are faults of ours. */
const refusalOf: Partial<Record<ErrorCode, { refusal: Refusal; status?: number; tellsDetail?: true }>> = {
  session_not_found: { refusal: 'notFound' },
  charge_not_found: { refusal: 'notFound' },
  refund_not_found: { refusal: 'notFound' },
  checkout_link_not_found: { refusal: 'notFound' },
  subscription_not_found: { refusal: 'notFound' },
  subscription_plan_not_found: { refusal: 'notFound' },
  invoice_not_found: { refusal: 'notFound' },
  link_closed: { refusal: 'linkClosed' },
  // 401 would have the browser ask for a password.
  unauthenticated: { refusal: 'unknownKey', status: 404 },
  account_disabled: { refusal: 'disabled' },
  rate_limited: { refusal: 'tooMany' },
  unavailable: { refusal: 'unavailable' },
  hash_required: { refusal: 'hashRequired' },
  hash_mismatch: { refusal: 'hashMismatch' },
  invalid_request: { refusal: 'invalid', tellsDetail: true },
  currency_unsupported: { refusal: 'invalid', tellsDetail: true },
  target_refused: { refusal: 'invalid', tellsDetail: true },
  method_unavailable: { refusal: 'noMethod', tellsDetail: true },
  amount_out_of_range: { refusal: 'noMethod', tellsDetail: true },
  rate_unavailable: { refusal: 'noMethod', tellsDetail: true },
  rate_stale: { refusal: 'noMethod', tellsDetail: true },
};

/** Whose page it would have been, and where the customer came from. */
export type WayBack = { merchant: Merchant; mode: Mode; redirectUrl: string | null };

/** A page that cannot be shown, for a reason that no operation of the domain knows. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly refusal: Refusal;
  readonly status: number;
  readonly back: WayBack | undefined;

  constructor(refusal: Refusal, status: number, back?: WayBack) {
    super(refusal);
    this.refusal = refusal;
    this.status = status;
    this.back = back;
  }
}

/** The page for an expected refusal; undefined for a fault of ours. */
export function pageOfError(reader: Reader, error: unknown, back?: WayBack): Page | undefined {
  if (error instanceof PageRefusal) return refusalPage(reader, error.refusal, error);
  return error instanceof DomainError ? domainRefusalPage(reader, error, back) : undefined;
}

function domainRefusalPage(reader: Reader, error: DomainError, back: WayBack | undefined): Page {
  if (error instanceof NetworkCapReached)
    return refusalPage(reader, 'tooManyOpen', { status: error.status, back });
  // The page of the other limits, which last an hour, would keep customers waiting.
  if (error.code === 'rate_limited' && isShort(error))
    return refusalPage(reader, 'unavailable', { status: error.status, back });
  const known = refusalOf[error.code];
  if (!known) return refusalPage(reader, 'unexpected', { status: error.status, back });
  const { refusal, status = error.status, tellsDetail } = known;
  return refusalPage(reader, refusal, { status, back, ...(tellsDetail && { detail: detailOf(error) }) });
}

/** Whether it is over within a minute. */
function isShort({ retryAfterSeconds }: DomainError): boolean {
  return retryAfterSeconds !== undefined && retryAfterSeconds <= 60;
}

/** Faults of form name the parameter of the address, which the domain knows as a pointer. */
function detailOf(error: DomainError): string {
  const [fault] = error.faults;
  return fault ? `${fault.path.slice(1)} ${fault.message}` : error.message;
}

/** A page that says what is wrong and what to do; nothing of the inside is on it. */
export function refusalPage(
  reader: Reader,
  refusal: Refusal,
  options: { status: number; detail?: string; back?: WayBack | undefined },
): Page {
  const { title, text, help } = reader.strings.refused[refusal];
  const { status, detail, back } = options;
  const body = html`<p>${text}</p>${detail !== undefined && html`<p class="aside" lang="en">${detail}</p>`}<p>${help}</p>
${back && backButton(reader, back)}`;
  const main = notice({ tone: 'stop', title, body });
  return { status, title, main, ...(back && { mode: back.mode, demo: back.merchant.demo }) };
}
