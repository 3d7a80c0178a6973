import { beforeAll } from 'vitest';
import type { Charge, ReceivingAccount } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { NewReceivingAccount } from '../../src/domain/accounts/receiving-account/insert-receiving-account.ts';
import {
  recordTransfers,
  type TransferItemResult,
} from '../../src/domain/money-in/transfer/record-transfers.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from './makers.ts';
import { makeReceivingAccount, retireAccounts } from './receiving-accounts.ts';
import { testService } from './service.ts';

type Paid = { account: ReceivingAccount; amount: number; paidAt?: string; now?: Date; reference?: string };

/** A merchant whose customers pay in Korean won by Toss, which carries no reference. */
type TossShop = {
  service(): Service;
  merchant(): NewMerchant;
  /** From now on these are the only accounts; the first is the oldest. */
  accounts(...inputs: Partial<NewReceivingAccount>[]): Promise<ReceivingAccount[]>;
  /** A charge of 50,000 won, unless said otherwise, of a customer of its own. */
  charge(merchantAmount?: number, now?: Date): Promise<Charge>;
  /** Money as a bank feed tells of it, five minutes after noon. */
  pay(...items: Paid[]): Promise<TransferItemResult[]>;
  cancel(charge: Charge): Promise<Charge>;
};

/** Sets it up for the test file. It is there once the first test runs. */
export function tossShop(): TossShop {
  let service: Service;
  let merchant: NewMerchant;
  let made = 0;
  beforeAll(async () => {
    service = await testService();
    merchant = await makeMerchant(service, { demoAccounts: false });
  });
  const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' as const });

  const add = (input: Partial<NewReceivingAccount>, i: number) => {
    const details = { bankCode: '092', account: `10001234567${i}`, bank: 'Toss Bank' };
    const account = { method: 'toss' as const, details, holder: 'Shop', ...input };
    return makeReceivingAccount(service, merchant, account, minutesAfter(noon, i - 60));
  };

  return {
    service: () => service,
    merchant: () => merchant,
    async accounts(...inputs) {
      await retireAccounts(service, owner(), noon);
      return Promise.all(inputs.map(add));
    },
    charge(merchantAmount = 50_000, now = noon) {
      const email = `w${++made}@example.com`;
      const input = { merchantAmount, merchantCurrency: 'KRW', method: 'toss', email };
      return makeCharge(service, merchant, { input, now });
    },
    pay: (...items) =>
      recordTransfers(service, {
        merchant: merchant.merchant,
        mode: 'live',
        actor: 'bank',
        now: items[0]!.now ?? minutesAfter(noon, 10),
        items: items.map(
          ({ account, amount, paidAt = minutesAfter(noon, 5).toISOString(), reference = '' }) => ({
            id: `bank-${++made}`,
            receivingAccountId: account.id,
            amount: String(amount),
            currency: account.currency,
            reference,
            paidAt,
          }),
        ),
      }),
    cancel: ({ id }) => cancelCharge(service, { ...owner(), id, by: 'merchant', actor: 'test', now: noon }),
  };
}
