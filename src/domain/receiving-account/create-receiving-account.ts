import type { Mode, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import { checkText } from '../../kit/text.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';
import { schemeOf } from '../../method/schemes.ts';

export type CreateReceivingAccountInput = {
  method: MethodCode;
  /** What the scheme needs, in the shape of its `detailsSchema`. */
  details: unknown;
  holder: string;
  bank?: string | undefined;
  /** Minor units of the method's currency. */
  minAmount?: bigint | undefined;
  maxAmount?: bigint | undefined;
  windowMinutes?: number | undefined;
  weight?: number | undefined;
  /** A fictional account: pages and codes say DEMO. */
  demo?: boolean | undefined;
};

const holderMax = 140;

/** Where the accounts of a country keep their days; decides on transfers that carry only a date. */
const timeZoneOf: Record<string, string> = {
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

/** A receiving account, checked by the rules of its scheme. Errors: `receiving_account_invalid`, `invalid_request`. */
export async function createReceivingAccount(
  tx: Tx,
  options: { merchantId: string; mode: Mode; input: CreateReceivingAccountInput; now: Date },
): Promise<ReceivingAccount> {
  const { merchantId, mode, input, now } = options;
  const scheme = schemeOf(input.method);
  const details = scheme.parseDetails(input.details);
  const method = paymentMethods[input.method];
  const { minAmount = null, maxAmount = null } = input;
  if (minAmount !== null && maxAmount !== null && minAmount > maxAmount) {
    throw new DomainError('receiving_account_invalid', 'The smallest amount must not be above the largest');
  }
  return tx.receivingAccount.create({
    data: {
      id: newId('receivingAccount', now),
      merchantId,
      mode,
      method: input.method,
      details: details as object,
      account: scheme.accountOf(details),
      bank: input.bank === undefined ? scheme.bankOf(details) : checkText(input.bank, '/bank', holderMax),
      holder: checkText(input.holder, '/holder', holderMax),
      currency: method.currency,
      timeZone: timeZoneOf[method.country] ?? 'UTC',
      weight: input.weight ?? 1,
      minAmount,
      maxAmount,
      windowMinutes: input.windowMinutes ?? null,
      demo: input.demo ?? false,
      createdAt: now,
      updatedAt: now,
    },
  });
}

/** One fictional account for each method, so that every flow can be tried. */
export async function createDemoAccounts(
  tx: Tx,
  options: { merchantId: string; mode: Mode; holder: string; methods: readonly MethodCode[]; now: Date },
): Promise<void> {
  for (const method of options.methods) {
    const input = { method, details: schemeOf(method).demoDetails, holder: options.holder, demo: true };
    await createReceivingAccount(tx, { ...options, input });
  }
}
