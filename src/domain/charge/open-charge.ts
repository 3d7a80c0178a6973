import type { Charge, Merchant, Mode } from '../../../prisma/client/client.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { Decimal } from '../../kit/decimal.ts';
import { DomainError } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import { type Money, toDecimal } from '../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';
import { newNonce } from '../../method/nonce.ts';
import { payableAmount } from '../../method/payable-amount.ts';
import { convert } from '../forex/convert.ts';
import { getRate, type RateTerms } from '../forex/rate.ts';
import { takesAmount, widestLimits } from '../receiving-account/account-limits.ts';
import { getActiveAccounts } from '../receiving-account/get-active-accounts.ts';
import { rankReceivingAccounts } from '../receiving-account/rank-receiving-accounts.ts';
import { chargeRow } from './charge-row.ts';
import type { ChargeTerms, PreparedCharge } from './charge-terms.ts';
import { findPlace } from './find-place.ts';
import { recordChargeEvent } from './transition-charge.ts';

/** A nonce is not used again on its account for so long, so that late money finds the charge it was meant for. */
export const nonceRestMs = 180 * 24 * 3_600_000;
export const nonceTriesMax = 20;

/** Chooses accounts, rate and amount. Errors: `method_unavailable`, `amount_out_of_range`, `rate_unavailable`, `rate_stale`. */
export async function prepareCharge(
  db: Db,
  options: { merchant: Merchant; mode: Mode; terms: ChargeTerms; now: Date },
): Promise<PreparedCharge> {
  const { merchant, mode, terms, now } = options;
  const { method, merchantMoney } = terms;
  const active = await getActiveAccounts(db, { merchantId: merchant.id, mode, method });
  const { currency } = paymentMethods[method];
  const forex = { merchant, mode, now };
  const rate = await getRate(db, { ...forex, from: merchantMoney.currency, to: currency });
  const payable = { ...paymentMethods[method], ...widestLimits(active) };
  const customerMoney = payableAmount(merchantMoney, rate.rate, payable);
  const taking = active.filter((account) => takesAmount(account, customerMoney));
  const [account, ...others] = await rankReceivingAccounts(db, taking);
  if (!account) throw noneTakes(customerMoney);
  const windows = merchant.paymentWindows as Partial<Record<MethodCode, number>>;
  return {
    terms,
    accounts: [account, ...others],
    rate,
    customerMoney,
    usdMinor: await usdAmount(db, terms.merchantMoney, forex),
    windowMinutes: windows[method] ?? paymentMethods[method].windowMinutes,
  };
}

function noneTakes(money: Money): DomainError {
  const amount = `${toDecimal(money)} ${money.currency}`;
  return new DomainError('amount_out_of_range', `No receiving account takes ${amount} in one payment`);
}

/** The amount in US cents by the service's rate, without markup; null where there is no rate to say it with. */
async function usdAmount(db: Db, money: Money, { mode, merchant, now }: RateTerms): Promise<bigint | null> {
  const forex = { merchant: { ...merchant, markup: new Decimal(0) }, mode, now };
  try {
    const { rate } = await getRate(db, { ...forex, from: money.currency, to: 'USD' });
    return convert(money, rate, 'USD').minor;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * Inserts the pending charge with a nonce of its own (and, where that tells payments apart, an amount of its own) and its
 * event, in the caller's transaction.
 */
export async function insertCharge(
  tx: Tx,
  prepared: PreparedCharge,
  options: { id?: string; customerId: string; actor: string; address?: string | undefined; now: Date },
): Promise<Charge> {
  const id = options.id ?? newId('charge', options.now);
  for (let tries = 0; tries < nonceTriesMax; tries++) {
    const nonce = newNonce();
    const place = await findPlace(tx, prepared, options.now);
    if (await isNonceResting(tx, place.account.id, nonce, options.now)) continue;
    const [charge] = await tx.charge.createManyAndReturn({
      data: [chargeRow(prepared, { ...options, ...place, id, nonce })],
      skipDuplicates: true,
    });
    if (!charge) continue;
    await recordChargeEvent(tx, charge, 'charge_created', options);
    return charge;
  }
  throw new DomainError('unavailable', 'No free reference was found for the charge; try again');
}

async function isNonceResting(
  tx: Tx,
  receivingAccountId: string,
  nonce: string,
  now: Date,
): Promise<boolean> {
  const used = await tx.charge.findFirst({
    where: { receivingAccountId, nonce, createdAt: { gt: new Date(now.getTime() - nonceRestMs) } },
    select: { id: true },
  });
  return used !== null;
}
