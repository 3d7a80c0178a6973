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
import { cleanupAfterFile } from './cleanup.ts';
import { retireAccounts, seedReceivingAccount } from './receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from './seed.ts';
import { setupService } from './service.ts';

type TossPayment = {
  account: ReceivingAccount;
  amount: number;
  paidAt?: string;
  now?: Date;
  reference?: string;
};

/** A merchant whose customers pay in Korean won by Toss, which carries no reference. */
type TossMerchant = {
  service(): Service;
  merchant(): NewMerchant;
  /** Replaces all accounts; the first is the oldest. */
  accounts(...inputs: Partial<NewReceivingAccount>[]): Promise<ReceivingAccount[]>;
  /** A charge of 50,000 won by default, for a new customer. */
  charge(merchantAmount?: number, now?: Date): Promise<Charge>;
  /** Records transfers of a bank feed, five minutes after noon by default. */
  pay(...items: TossPayment[]): Promise<TransferItemResult[]>;
  cancel(charge: Charge): Promise<Charge>;
};

/** Sets it up for the test file; it exists once the first test runs. */
export function setupTossMerchant(): TossMerchant {
  const onCleanup = cleanupAfterFile();
  let service: Service;
  let merchant: NewMerchant;
  let count = 0;
  beforeAll(async () => {
    service = await setupService(onCleanup);
    merchant = await seedMerchant(service, { demoAccounts: false });
  });
  const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' as const });

  const addAccount = (input: Partial<NewReceivingAccount>, i: number) => {
    const details = { bankCode: '092', account: `10001234567${i}`, bank: 'Toss Bank' };
    const account = { method: 'toss' as const, details, holder: 'Shop', ...input };
    return seedReceivingAccount(service, merchant, account, minutesAfter(noon, i - 60));
  };

  return {
    service: () => service,
    merchant: () => merchant,
    async accounts(...inputs) {
      await retireAccounts(service, owner(), noon);
      return Promise.all(inputs.map(addAccount));
    },
    charge(merchantAmount = 50_000, now = noon) {
      const email = `w${++count}@example.com`;
      const input = { merchantAmount, merchantCurrency: 'KRW', method: 'toss', email };
      return seedCharge(service, merchant, { input, now });
    },
    pay: (...items) =>
      recordTransfers(service, {
        merchant: merchant.merchant,
        mode: 'live',
        actor: 'bank',
        now: items[0]!.now ?? minutesAfter(noon, 10),
        items: items.map(
          ({ account, amount, paidAt = minutesAfter(noon, 5).toISOString(), reference = '' }) => ({
            id: `bank-${++count}`,
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
