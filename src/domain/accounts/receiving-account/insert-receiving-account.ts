import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { countryTimeZones } from '../../../method/country-time-zones.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import { type AccountSettings, amountOffsetMax } from './account-settings.ts';

export type NewReceivingAccount = Partial<AccountSettings> & {
  method: MethodCode;
  details: ReceivingDetails;
  holder: string;
  /** A fictional account, marked DEMO on pages and in QR codes. */
  demo?: boolean;
};

/**
 * Inserts a receiving account. Callers must have parsed `details` with the `parseDetails` of the method's
 * scheme, and validated the settings.
 */
export function insertReceivingAccount(
  tx: Tx,
  options: MerchantScope & { input: NewReceivingAccount; now: Date },
): Promise<ReceivingAccount> {
  return tx.receivingAccount.create({ data: toRow(options) });
}

/** Inserts a fictional account for each of the methods, so that every payment flow can be tested. */
export async function insertDemoAccounts(
  tx: Tx,
  options: MerchantScope & { holder: string; methods: readonly MethodCode[]; now: Date },
): Promise<void> {
  const { holder } = options;
  const rows = options.methods.map((method) => {
    const scheme = getScheme(method);
    const details = scheme.parseDetails(scheme.demoDetails);
    return toRow({ ...options, input: { method, details, holder, demo: true } });
  });
  await tx.receivingAccount.createMany({ data: rows });
}

function toRow({ merchantId, mode, input, now }: MerchantScope & { input: NewReceivingAccount; now: Date }) {
  const { details } = input;
  const scheme = getScheme(input.method);
  const method = paymentMethods[input.method];
  // Without a reference, only the amount can identify a payment.
  const defaultOffset = scheme.canCarryReference(details) ? null : amountOffsetMax;
  return {
    id: newId('receivingAccount', now),
    merchantId,
    mode,
    method: input.method,
    details,
    account: scheme.getAccount(details),
    bank: input.bank ?? scheme.getBank(details),
    holder: input.holder,
    currency: method.currency,
    // In this zone, the bank writes dates and times without a UTC offset.
    timeZone: input.timeZone ?? countryTimeZones[method.country],
    weight: input.weight ?? 1,
    minAmount: input.minAmount ?? null,
    maxAmount: input.maxAmount ?? null,
    paymentWindowMinutes: input.paymentWindowMinutes ?? null,
    maxAmountOffset: input.maxAmountOffset === undefined ? defaultOffset : input.maxAmountOffset,
    maxBankFee: input.maxBankFee ?? null,
    maxBankFeeRate: input.maxBankFeeRate ?? null,
    reusesBankReferences: input.reusesBankReferences ?? false,
    demo: input.demo ?? false,
    createdAt: now,
    updatedAt: now,
  };
}
