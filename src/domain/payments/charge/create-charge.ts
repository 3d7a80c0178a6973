import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { type SqlUnitOfWork, transactSql } from '../../../event/transact-sql.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { parseEmail } from '../../../kit/contact.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { parseMoney } from '../../../kit/money.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { IdempotencyHooks } from '../../platform/idempotency/with-idempotency-key.ts';
import { type MetadataInput, parseMetadata } from '../../platform/metadata.ts';
import { parseNotifyPayload } from '../../platform/notify-payload.ts';
import { type OrderLineInput, parseOrderLines } from '../../platform/order-line.ts';
import { parseMethod } from '../../platform/parse-methods.ts';
import type { Service } from '../../platform/service.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import { upsertCustomer } from '../customer/upsert-customer.ts';
import {
  consumeVerificationCode,
  getVerifiedPhone,
  type VerifiedPhone,
} from '../phone-verification/consume-verification-code.ts';
import { checkChargeHash } from './charge-hash.ts';
import type { ChargeTerms } from './charge-terms.ts';
import { type CreatedOrReusedCharge, insertOrReuseCharge } from './insert-charges.ts';
import { prepareCharge } from './prepare-charge.ts';

/** The unvalidated input. Amounts are in major units: a number (REST) or a decimal string (GraphQL). */
export type CreateChargeInput = {
  /** The customer is identified by email, by `verificationCode`, or by both. */
  email?: string | null | undefined;
  verificationCode?: string | null | undefined;
  merchantAmount: number | string;
  merchantCurrency: string;
  method: string;
  orders?: readonly OrderLineInput[] | null | undefined;
  notifyPayload?: string | null | undefined;
  metadata?: MetadataInput;
  notifyUrl?: string | null | undefined;
  /** From `POST /charges/hash`; required in secure mode. */
  hash?: string | null | undefined;
};

/**
 * Creates a charge for a customer. If an equal charge is pending and at least half of its payment window is
 * left, returns that charge instead. Both outcomes consume `verificationCode`; an error does not.
 * Throws `invalid_request`, `method_unavailable`, `amount_out_of_range`, `rate_unavailable`, `rate_stale`,
 * `currency_unsupported`, `hash_mismatch`, `hash_required`, `verification_code_invalid` or `target_refused`.
 */
export async function createCharge(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    actor: string;
    input: CreateChargeInput;
    now: MerchantTime;
    /** A test clock does not change how long a `verificationCode` is valid. */
    systemNow?: SystemTime;
    /** Runs the idempotency check in the charge's transaction. */
    idempotency?: IdempotencyHooks<CreatedOrReusedCharge> | undefined;
  },
): Promise<CreatedOrReusedCharge> {
  const { merchant, mode, actor, now, audit, systemNow = new Date(now), idempotency } = options;
  const scope = { merchantId: merchant.id, mode };
  const verifiedPhone = await findVerifiedPhone(service, { ...scope, input: options.input });
  const terms = parseChargeTerms(service, { ...options, phone: verifiedPhone?.phone });
  const { merchantMoney: money, orders } = terms;
  await checkChargeHash(service.secrets, { merchant, mode }, { money, orders, hash: options.input.hash });
  const preparedCharge = await prepareCharge(service, { merchant, mode, terms, now });
  const change = { actor, ipAddress: audit?.ipAddress, audit, now };
  const create = async (unit: SqlUnitOfWork): Promise<CreatedOrReusedCharge> => {
    const { tx } = unit;
    const customerId = await upsertCustomer(tx, { ...scope, details: terms.customer, now });
    const createdCharge = await insertOrReuseCharge(unit, { preparedCharge, customerId }, change);
    if (verifiedPhone)
      await consumeVerificationCode(tx, {
        id: verifiedPhone.id,
        chargeId: createdCharge.charge.id,
        now: systemNow,
      });
    return createdCharge;
  };
  return transactSql(
    service,
    (unit) => (idempotency ? idempotency.run(unit.tx, () => create(unit)) : create(unit)),
    idempotency?.lockStatements,
  );
}

async function findVerifiedPhone(
  service: Service,
  { input, ...scope }: MerchantScope & { input: CreateChargeInput },
): Promise<VerifiedPhone | undefined> {
  const { verificationCode, email } = input;
  if (verificationCode == null && email == null)
    throw invalidInputError('', 'must have an email or a verificationCode');
  return verificationCode == null ? undefined : getVerifiedPhone(service, { ...scope, verificationCode });
}

function parseChargeTerms(
  service: Service,
  options: { mode: Mode; input: CreateChargeInput; phone: string | undefined },
): ChargeTerms {
  const { mode, input, phone } = options;
  const merchantMoney = parseMoney(input.merchantAmount, input.merchantCurrency, '/merchantAmount');
  const method = parseMethod(input.method, '/method');
  const { settings } = service;
  return {
    merchantMoney,
    method,
    isReusable: true,
    customer: {
      ...(input.email != null && { email: parseEmail(input.email, '/email') }),
      ...(phone !== undefined && { phone }),
    },
    orders: parseOrderLines(input.orders, input.merchantCurrency),
    notifyPayload: parseNotifyPayload(input.notifyPayload),
    metadata: parseMetadata(input.metadata),
    notifyUrl:
      input.notifyUrl == null ? null : parseTargetUrl(input.notifyUrl, '/notifyUrl', { mode, ...settings }),
  };
}
