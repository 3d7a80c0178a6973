import type {
  Charge,
  Merchant,
  Mode,
  ReceivingAccount,
  Transfer,
} from '../../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { Money } from '../../../../kit/money.ts';
import { checkText } from '../../../../kit/text.ts';
import { type MethodCode, paymentMethods } from '../../../../method/catalog.ts';
import { lockReceivingAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { canUseDemoRates } from '../../../accounts/receiving-account/can-use-demo-rates.ts';
import {
  getUnallocatedAmount,
  lockTransfer,
  requireExceptionStatus,
} from '../../../payments/allocation/lock-transfer.ts';
import type { ChargeTerms, PreparedCharge } from '../../../payments/charge/charge-terms.ts';
import { insertCharge } from '../../../payments/charge/insert-charges.ts';
import { convertToUsd } from '../../../payments/charge/prepare-charge.ts';
import { type CustomerDetails, parseCustomer } from '../../../payments/customer/customer-input.ts';
import { upsertCustomer } from '../../../payments/customer/upsert-customer.ts';
import type { AuditContext } from '../../../platform/audit/record-audit.ts';
import { getRate } from '../../../platform/forex/get-rate.ts';
import { parseNotifyPayload } from '../../../platform/notify-payload.ts';
import type { OrderLine } from '../../../platform/order-line.ts';
import type { Service } from '../../../platform/service.ts';
import { assignTransfer } from './assign-transfer.ts';

type ChargeForTransferInput = {
  transferId: string;
  /** Null if the customer's address is not known, as at the counter. */
  email?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** The name of the goods or service that the payer bought. */
  orderName?: string | null | undefined;
  notifyPayload?: string | null | undefined;
  note?: string | null | undefined;
};

const orderNameMax = 500;

/**
 * Creates a charge for the unallocated amount of an unmatched transfer, such as a sale that was agreed on the
 * phone, and applies the transfer to it in the same transaction. The charge is completed with the usual
 * notifications. Errors: `transfer_not_found`, `transfer_already_allocated`, `currency_unsupported`,
 * `method_unavailable`, `amount_out_of_range`, `invalid_request`.
 */
export async function createChargeForTransfer(
  service: Service,
  options: {
    merchant: Merchant;
    mode: Mode;
    input: ChargeForTransferInput;
    audit: AuditContext;
    now: MerchantTime;
  },
): Promise<{ transfer: Transfer; charge: Charge }> {
  const { merchant, mode, input, audit, now } = options;
  const scope = { merchantId: merchant.id, mode };
  const terms = {
    customer: parseCustomer(input, '') as CustomerDetails,
    orders: toOrderLines(input.orderName),
    notifyPayload: parseNotifyPayload(input.notifyPayload),
  };
  return transact(service, async (uow) => {
    const { tx } = uow;
    const found = await tx.transfer.findFirst({ where: { id: input.transferId, ...scope } });
    if (!found) throw new DomainError('transfer_not_found', `Transfer not found: ${input.transferId}`);
    const account = await lockReceivingAccount(tx, { ...scope, id: found.receivingAccountId });
    const customerId = await upsertCustomer(tx, { ...scope, details: terms.customer, now });
    const transfer = await lockTransfer(tx, { ...scope, id: found.id });
    requireExceptionStatus(transfer);
    const money = { minor: getUnallocatedAmount(transfer), currency: transfer.currency };
    const preparedCharge = await prepareExactCharge(uow, { merchant, mode, account, money, now, terms });
    const change = { actor: audit.actor, audit, now };
    const charge = await insertCharge(uow, { preparedCharge, customerId }, change);
    const assignment = { transferId: transfer.id, parts: [{ chargeId: charge.id }], note: input.note };
    const result = await assignTransfer(uow, { merchant, mode, assignment, audit, now });
    return { transfer: result.transfer, charge: result.charges[0]! };
  });
}

function toOrderLines(name: string | null | undefined): OrderLine[] {
  return name == null ? [] : [{ name: checkText(name, '/orderName', orderNameMax) }];
}

/**
 * Prepares a charge for exactly the amount of the transfer, ignoring the limits and unique amounts of the
 * account.
 */
async function prepareExactCharge(
  uow: UnitOfWork<Service>,
  options: {
    merchant: Merchant;
    mode: Mode;
    account: ReceivingAccount;
    money: Money;
    now: MerchantTime;
    terms: Omit<ChargeTerms, 'merchantMoney' | 'method'>;
  },
): Promise<PreparedCharge> {
  const { merchant, mode, account, money, now, terms } = options;
  const { currency } = money;
  if (money.minor === 0n)
    throw new DomainError('transfer_already_allocated', 'The transfer is fully allocated');
  if (currency !== account.currency)
    throw new DomainError(
      'currency_unsupported',
      `The transfer is in ${currency}, but its account is in ${account.currency}`,
    );
  const method = account.method as MethodCode;
  const rateOptions = { merchant: { ...merchant, demo: canUseDemoRates(merchant, [account]) }, mode, now };
  return {
    terms: { ...terms, merchantMoney: money, method },
    accounts: [{ ...account, maxAmountOffset: null }],
    rate: await getRate(uow, { ...rateOptions, from: currency, to: currency }),
    customerMoney: money,
    usdMinor: await convertToUsd(uow, money, rateOptions),
    paymentWindowMinutes: paymentMethods[method].paymentWindowMinutes,
  };
}
