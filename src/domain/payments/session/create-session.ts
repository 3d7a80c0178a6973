import { type CheckoutSession, type Merchant, type Mode, Prisma } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { parseMoney, toDecimal } from '../../../kit/money.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { type MetadataInput, parseMetadata } from '../../platform/metadata.ts';
import { parseNotifyPayload } from '../../platform/notify-payload.ts';
import { type OrderLineInput, parseOrderLines } from '../../platform/order-line.ts';
import { parseLanguage } from '../../platform/parse-language.ts';
import { parseMethods } from '../../platform/parse-methods.ts';
import type { Service } from '../../platform/service.ts';
import { parseRedirectUrl, parseTargetUrl } from '../../platform/target-url.ts';
import { quoteMethods } from '../charge/quote-methods.ts';
import { type CustomerInput, parseCustomer } from '../customer/customer-input.ts';
import { sessionLifetimeMs } from './session-state.ts';
import { recordSessionEvents } from './transition-session.ts';

export type CreateSessionInput = {
  amount: number | string;
  currency: string;
  orders?: readonly OrderLineInput[] | null | undefined;
  methods?: readonly string[] | null | undefined;
  notifyUrl?: string | null | undefined;
  notifyPayload?: string | null | undefined;
  metadata?: MetadataInput;
  redirectUrl?: string | null | undefined;
  cancelUrl?: string | null | undefined;
  /** How long the session can be used; by default, the lifetimes of {@link sessionLifetimeMs} apply. */
  expiresInMinutes?: number | null | undefined;
  customer?: CustomerInput | null | undefined;
  /** The customer's language; by default, that of their browser. */
  locale?: string | null | undefined;
};

/**
 * Creates a one-time session if at least one method accepts the amount. Throws `invalid_request`,
 * `currency_unsupported`, `method_unavailable`, `amount_out_of_range`, `rate_unavailable`, `rate_stale` or
 * `target_refused`.
 */
export async function createSession(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    actor: string;
    input: CreateSessionInput;
    /** The user who sells at the counter. */
    sellerId?: string;
    now: MerchantTime;
  },
): Promise<CheckoutSession> {
  const { merchant, mode, actor, now, audit } = options;
  const merchantId = merchant.id;
  const row = toSessionRow(service, options);
  const money = { minor: row.amount, currency: row.currency };
  await quoteMethods(service, { merchant, mode, money, methods: row.methods, now });
  return transact(service, async (uow) => {
    const session = await uow.tx.checkoutSession.create({
      data: { ...row, ...(options.sellerId !== undefined && { sellerId: options.sellerId }) },
    });
    await recordSessionEvents(uow, [session], { now, actor });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'session.created',
        objectId: session.id,
        detail: { amount: toDecimal(money), currency: money.currency },
      });
    return session;
  });
}

function toSessionRow(
  service: Service,
  options: { merchant: Merchant; mode: Mode; input: CreateSessionInput; now: MerchantTime },
) {
  const { merchant, mode, input, now } = options;
  const rules = { mode, redirectSchemes: merchant.redirectSchemes, ...service.settings };
  const money = parseMoney(input.amount, input.currency, '/amount');
  const id = newId('session', now);
  const lastExpiresAt = parseExpiry(input.expiresInMinutes, now);
  return {
    id,
    merchantId: merchant.id,
    mode,
    amount: money.minor,
    currency: money.currency,
    orders: parseOrderLines(input.orders, money.currency),
    methods: parseMethods(input.methods),
    notifyUrl: input.notifyUrl == null ? null : parseTargetUrl(input.notifyUrl, '/notifyUrl', rules),
    notifyPayload: parseNotifyPayload(input.notifyPayload),
    metadata: parseMetadata(input.metadata) ?? Prisma.DbNull,
    redirectUrl: fillSessionId(parseRedirectUrl(input.redirectUrl, '/redirectUrl', rules), id),
    cancelUrl: fillSessionId(parseRedirectUrl(input.cancelUrl, '/cancelUrl', rules), id),
    customer: parseCustomer(input.customer) ?? Prisma.DbNull,
    language: parseLanguage(input.locale) ?? null,
    version: 1,
    expiresAt: lastExpiresAt ?? new Date(now.getTime() + sessionLifetimeMs.created),
    lastExpiresAt,
    createdAt: now,
    updatedAt: now,
  };
}

const expiresInMinutesMin = 5;
const expiresInMinutesMax = 30 * 24 * 60;

function parseExpiry(minutes: number | null | undefined, now: MerchantTime): Date | null {
  if (minutes == null) return null;
  if (!Number.isInteger(minutes) || minutes < expiresInMinutesMin || minutes > expiresInMinutesMax)
    throw invalidInputError(
      '/expiresInMinutes',
      `must be an integer from ${expiresInMinutesMin} to ${expiresInMinutesMax}`,
    );
  return new Date(now.getTime() + minutes * minuteMs);
}

/** Replaces `{SESSION_ID}` in a URL by the ID, so that the shop recognizes the payment when the customer returns. */
function fillSessionId(url: string | null, id: string): string | null {
  return url?.replaceAll('{SESSION_ID}', id) ?? null;
}
