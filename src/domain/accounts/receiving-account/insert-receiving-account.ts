import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import type { Owner } from '../../../kit/owner.ts';
import { type MethodCode, type MethodCountry, paymentMethods } from '../../../method/catalogue.ts';
import { type ReceivingDetails, schemeOf } from '../../../method/schemes.ts';
import type { AccountTerms } from './account-terms.ts';

export type NewAccount = Partial<AccountTerms> & {
  method: MethodCode;
  details: ReceivingDetails;
  holder: string;
  /** A fictional account: pages and codes say DEMO. */
  demo?: boolean;
};

/** Where the accounts of a country keep their days; decides on transfers that carry only a date. */
const timeZoneOf: Record<MethodCountry, string> = {
  HK: 'Asia/Hong_Kong',
  SG: 'Asia/Singapore',
  VN: 'Asia/Ho_Chi_Minh',
  MY: 'Asia/Kuala_Lumpur',
  PH: 'Asia/Manila',
  TH: 'Asia/Bangkok',
  IN: 'Asia/Kolkata',
  ID: 'Asia/Jakarta',
  AU: 'Australia/Sydney',
  NZ: 'Pacific/Auckland',
  KR: 'Asia/Seoul',
};

/** Writes a receiving account, whose details are what its scheme gave and whose terms have been checked. */
export function insertReceivingAccount(
  tx: Tx,
  options: Owner & { input: NewAccount; now: Date },
): Promise<ReceivingAccount> {
  return tx.receivingAccount.create({ data: rowOf(options) });
}

/** One fictional account for each method, so that every flow can be tried. */
export async function createDemoAccounts(
  tx: Tx,
  options: Owner & { holder: string; methods: readonly MethodCode[]; now: Date },
): Promise<void> {
  const { holder } = options;
  const rows = options.methods.map((method) => {
    const scheme = schemeOf(method);
    const details = scheme.parseDetails(scheme.demoDetails);
    return rowOf({ ...options, input: { method, details, holder, demo: true } });
  });
  await tx.receivingAccount.createMany({ data: rows });
}

function rowOf({ merchantId, mode, input, now }: Owner & { input: NewAccount; now: Date }) {
  const { details } = input;
  const scheme = schemeOf(input.method);
  const method = paymentMethods[input.method];
  return {
    id: newId('receivingAccount', now),
    merchantId,
    mode,
    method: input.method,
    details,
    account: scheme.accountOf(details),
    bank: input.bank ?? scheme.bankOf(details),
    holder: input.holder,
    currency: method.currency,
    timeZone: input.timeZone ?? timeZoneOf[method.country],
    weight: input.weight ?? 1,
    minAmount: input.minAmount ?? null,
    maxAmount: input.maxAmount ?? null,
    windowMinutes: input.windowMinutes ?? null,
    uniqueAmountsMax: input.uniqueAmountsMax ?? null,
    demo: input.demo ?? false,
    createdAt: now,
    updatedAt: now,
  };
}
