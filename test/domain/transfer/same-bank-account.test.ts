import { describe, expect } from 'vitest';
import type { Charge, Prisma, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { lockSharedIds } from '../../../src/domain/accounts/receiving-account/bank-account.ts';
import { createReceivingAccount } from '../../../src/domain/accounts/receiving-account/create-receiving-account.ts';
import {
  type UpdateReceivingAccountInput,
  updateReceivingAccount,
} from '../../../src/domain/accounts/receiving-account/update-receiving-account.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { findDuplicateCandidates } from '../../../src/domain/money-in/transfer/duplicates/find-duplicate-candidates.ts';
import { markTransferAsDuplicate } from '../../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import { suggestCharges } from '../../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { getNonZeroCounts, importFile, queueFile } from '../../setup/import-file.ts';
import { seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { later, transferTest } from '../../setup/transfer-test.ts';
import { recordOne, seedUnmatchedTransfer, transferInput } from '../../setup/transfers.ts';

const test = transferTest.extend('shop', ({ service, merchant }) => openShop(service, merchant));

/** A merchant whose customers pay to one Hong Kong bank account by FPS and by its number. */
async function openShop(service: Service, merchant: NewMerchant) {
  const { prisma } = service;
  const caller = toOwnerCaller(merchant);
  const scope = { merchantId: merchant.merchant.id, mode: 'live' as const };
  const findAccount = (where: Prisma.ReceivingAccountWhereInput) =>
    prisma.receivingAccount.findFirstOrThrow({ where: { ...scope, ...where } });
  const fps = await findAccount({ method: 'fps' });
  const bank = await findAccount({ method: 'hk-bank-transfer' });
  let customerCount = 0;

  const update = ({ id }: ReceivingAccount, input: UpdateReceivingAccountInput) =>
    updateReceivingAccount(service, { caller, id, input, now: noon });
  return {
    scope,
    fps,
    bank,
    findAccount,
    update,
    share: () => update(fps, { sameBankAccountAs: bank.id }),
    charge: (method: string, merchantAmount = 128.5, now = noon): Promise<Charge> =>
      seedCharge(service, merchant, {
        input: { method, merchantAmount, email: `c${++customerCount}@example.com` },
        now,
      }),
    /** Records a statement line with the payment reference of the charge for the account. */
    pay: (
      { id }: ReceivingAccount,
      charge: Charge,
      changes: Partial<Parameters<typeof transferInput>[0]> = {},
    ) =>
      recordOne(service, merchant, {
        receivingAccountId: id,
        input: transferInput({
          money: { minor: charge.customerAmount, currency: charge.customerCurrency },
          reference: charge.paymentReference,
          ...changes,
        }),
      }),
    file: (account: ReceivingAccount, rows: string[]) => ({
      content: `Date,Amount,Text\n${rows.join('\n')}\n`,
      receivingAccountId: account.id,
      mapping: csvMapping({ referenceColumns: ['Text'] }),
      now: minutesAfter(noon, 60),
    }),
  };
}

describe('Payments to one bank account by two methods', () => {
  test('complete the charges of both from the statement or feed of either', async ({
    service,
    merchant,
    transfers,
    shop,
  }) => {
    const { fps, bank, scope } = shop;
    const early = await shop.charge('fps');
    expect(await shop.pay(bank, early)).toMatchObject({ reason: 'wrong_account' });
    await shop.share();
    const [byFps, byNumber, fed] = [
      await shop.charge('fps'),
      await shop.charge('hk-bank-transfer'),
      await shop.charge('fps'),
    ];
    const rows = [byFps, byNumber].map(({ paymentReference }) => `2026-11-17,128.50,${paymentReference}`);
    const statement = await importFile(service, merchant, shop.file(bank, rows));
    expect(getNonZeroCounts(statement)).toEqual({ matched: 2 });
    const item = { id: 'f1', receivingAccountId: bank.id, amount: '128.50', currency: 'HKD' };
    const items = [{ ...item, reference: fed.paymentReference, paidAt: noon.toISOString() }];
    const report = { merchant: merchant.merchant, mode: 'live', actor: 'key:feed', now: later } as const;
    expect(await recordTransfers(service, { ...report, items })).toMatchObject([
      { status: 'matched', chargeId: fed.id },
    ]);
    for (const charge of [byFps, byNumber, fed])
      expect(await transfers.reload(charge)).toMatchObject({ status: 'completed' });
    const days = { from: '2026-11-17', to: '2026-11-17' };
    const { lines } = await reconcile(toStaleReads(service), {
      merchant: merchant.merchant,
      ...scope,
      ...days,
    });
    expect(lines).toMatchObject([
      { account: { id: bank.id }, received: 4n * 12_850n, matched: 3n * 12_850n, exceptions: 12_850n },
    ]);
    expect(fps.id).not.toBe(bank.id);
  });

  test('are counted once when the same statement is imported for both', async ({
    service,
    merchant,
    transfers,
    shop,
  }) => {
    const { fps, bank } = shop;
    const charge = await shop.charge('fps');
    const rows = [`2026-11-17,50.00,${charge.paymentReference}`, '2026-11-17,7.00,hello'];
    const before = await importFile(service, merchant, shop.file(fps, rows));
    expect(getNonZeroCounts(before)).toEqual({ partial: 1, exception: 1 });
    await shop.share();
    const { isDuplicate, statement } = await queueFile(service, merchant, shop.file(bank, rows));
    expect({ isDuplicate, id: statement.id }).toEqual({ isDuplicate: true, id: before.id });
    const longer = await importFile(service, merchant, shop.file(bank, [...rows, '2026-11-17,9.00,new']));
    expect(getNonZeroCounts(longer)).toEqual({ duplicate: 2, exception: 1 });
    const paid = { money: { minor: 5_000n, currency: 'HKD' as const }, paidAt: noon };
    expect(await shop.pay(bank, charge, { source: 'feed', ...paid })).toMatchObject({ status: 'duplicate' });
    const dated = [`2026-11-18,50.00,${charge.paymentReference}`];
    expect(getNonZeroCounts(await importFile(service, merchant, shop.file(bank, dated)))).toEqual({
      exception: 1,
    });
    const [again] = await service.prisma.transfer.findMany({ where: { reason: 'possible_duplicate' } });
    const candidates = await findDuplicateCandidates(service, [again!]);
    const [original] = candidates.get(again!.id)!;
    expect(original).toMatchObject({ receivingAccountId: fps.id, status: 'partial' });
    const input = { transferId: again!.id, duplicateOfId: original!.id };
    await markTransferAsDuplicate(service, { ...transfers.decision, input });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 5_000n });
  });

  test('are no possible duplicates of lines that a statement for the other account repeats', async ({
    service,
    merchant,
    shop,
  }) => {
    const { fps, bank } = shop;
    await shop.share();
    const rows = ['2026-11-17,5.00,FPS CHAN'];
    await importFile(service, merchant, shop.file(fps, rows));
    const longer = await importFile(service, merchant, shop.file(bank, [...rows, '2026-11-17,5.00,FPS LEE']));
    expect(getNonZeroCounts(longer)).toEqual({ duplicate: 1, exception: 1 });
    const transfers = await service.prisma.transfer.findMany({ where: { statementId: longer.id } });
    expect(transfers.map(({ reason }) => reason)).toEqual(['missing_reference']);
  });

  test('are counted once when both accounts are imported at the same time', async ({
    service,
    merchant,
    shop,
  }) => {
    const { fps, bank, scope } = shop;
    await shop.share();
    const charge = await shop.charge('fps');
    const line = transferInput({ bankReference: 'one', reference: charge.paymentReference });
    const record =
      ({ id }: ReceivingAccount) =>
      () =>
        recordOne(service, merchant, { receivingAccountId: id, input: line });
    const results = await concurrently(
      service,
      ({ tx }) => lockSharedIds(tx, { ...scope, id: fps.id }),
      record(fps),
      record(bank),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'partial']);
    expect(new Set(results.map(({ transferId }) => transferId)).size).toBe(1);
    expect(await service.prisma.transfer.count({ where: scope })).toBe(1);
  });

  test('complete the charges of an account that joins while a transfer is recorded', async ({
    service,
    shop,
  }) => {
    const { fps, bank, scope } = shop;
    const charge = await shop.charge('fps');
    const [result] = await concurrently(
      service,
      async ({ tx }) => {
        await lockSharedIds(tx, { ...scope, id: bank.id });
        await lockSharedIds(tx, { ...scope, id: fps.id });
        const [oldest, other] = [fps.id, bank.id].toSorted();
        await tx.receivingAccount.update({ where: { id: other! }, data: { sharedBankAccountId: oldest! } });
      },
      () => shop.pay(bank, charge),
    );
    expect(result).toMatchObject({ status: 'matched', chargeId: charge.id });
  });

  test('need review when two charges have the same payment reference', async ({
    service,
    transfers,
    shop,
  }) => {
    await shop.share();
    const [one, other] = [await shop.charge('fps'), await shop.charge('hk-bank-transfer')];
    const { paymentReference } = one;
    await service.prisma.charge.update({ where: { id: other.id }, data: { paymentReference } });
    const result = await shop.pay(shop.bank, one);
    expect(result).toMatchObject({ reason: 'multiple_references' });
    const transfer = await transfers.reloadTransfer(result.transferId);
    const { charges } = (await suggestCharges(service, shop.scope, [transfer])).get(transfer.id)!;
    expect(charges.map(({ charge }) => charge.id).toSorted()).toEqual([one.id, other.id].toSorted());
    await transfers.assign(transfer.id, { chargeId: one.id });
    expect(await transfers.reload(one)).toMatchObject({ status: 'completed' });
  });

  test('are suggested for the charges of both, and a mistyped reference is recognized', async ({
    service,
    merchant,
    transfers,
    shop,
  }) => {
    const charge = await shop.charge('fps', 31.4);
    const options = { charge: { ...charge, receivingAccountId: shop.bank.id }, minor: 3_140n };
    const transfer = await seedUnmatchedTransfer(service, merchant, options);
    const suggest = async () =>
      (await suggestCharges(service, shop.scope, [transfer])).get(transfer.id)!.charges;
    expect(await suggest()).toEqual([]);
    await shop.share();
    expect(await suggest()).toMatchObject([{ charge: { id: charge.id }, reasons: ['same_amount'] }]);
    const typed = charge.paymentReference;
    const mistyped = `${typed.slice(0, 2)}${typed[2] === 'A' ? 'B' : 'A'}${typed.slice(3)}`;
    const result = await shop.pay(shop.bank, charge, { reference: mistyped });
    expect(result).toMatchObject({ reason: 'mistyped_reference' });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending' });
  });

  test('without a reference are matched by an amount that is unique over both', async ({
    service,
    merchant,
    transfers,
    shop,
  }) => {
    const accounts = [await shop.findAccount({ method: 'toss' })];
    const details = { bankCode: '092', account: '100012345679', bank: 'Toss Bank' };
    accounts.push(await seedReceivingAccount(service, merchant, { method: 'toss', details }));
    const open = (amount: number) =>
      seedCharge(service, merchant, {
        input: {
          method: 'toss',
          merchantAmount: amount,
          merchantCurrency: 'KRW',
          email: `k${amount}${Math.random()}@example.com`,
        },
      });
    const [one, other] = [await open(50_000), await open(50_000)];
    expect([one.customerAmount, other.customerAmount]).toEqual([50_000n, 50_000n]);
    expect(one.receivingAccountId).not.toBe(other.receivingAccountId);
    await shop.update(accounts[0]!, { sameBankAccountAs: accounts[1]!.id });
    expect(await shop.pay(accounts[0]!, one, { reference: '' })).toMatchObject({
      reason: 'multiple_charges',
    });
    const [first, second] = [await open(60_000), await open(60_000)];
    expect(first.customerAmount).not.toBe(second.customerAmount);
    const unique = await open(70_000);
    const elsewhere = accounts.find(({ id }) => id !== unique.receivingAccountId)!;
    expect(await shop.pay(elsewhere, unique, { reference: '' })).toMatchObject({ chargeId: unique.id });
    expect(await transfers.reload(unique)).toMatchObject({ status: 'completed' });
  });

  test('are reversed and refunded by the statement of either', async ({
    transfers,
    service,
    merchant,
    shop,
  }) => {
    await shop.share();
    const charge = await shop.charge('fps');
    await shop.pay(shop.fps, charge);
    const reversal = await transfers.reverse({ ...charge, receivingAccountId: shop.bank.id });
    expect(reversal).toMatchObject({ status: 'outgoing' });
    expect(await transfers.reload(charge)).toMatchObject({ amountReceived: 0n });
    const missing = await seedUnmatchedTransfer(service, merchant, { charge, minor: 100n });
    expect(missing.status).toBe('exception');
  });
});

describe('Receiving accounts that are one bank account', () => {
  test('share the settings of reports, keep together without the oldest, and are audited', async ({
    service,
    merchant,
    shop,
  }) => {
    const { fps, bank, scope } = shop;
    await shop.update(bank, { timeZone: 'Asia/Tokyo' });
    await shop.share();
    const details = { fpsId: '7654321' };
    const input = { method: 'fps', details, accountName: 'Shop', sameBankAccountAs: fps.id } as const;
    const third = await createReceivingAccount(service, {
      caller: toOwnerCaller(merchant),
      input,
      now: minutesAfter(noon, 1),
    });
    const readGroup = async () => {
      const rows = await service.prisma.receivingAccount.findMany({
        where: { id: { in: [fps.id, bank.id, third.id] } },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ sharedBankAccountId, timeZone }) => [sharedBankAccountId, timeZone]);
    };
    const [oldest, second] = [fps, bank].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const shared = [oldest!.id, 'Asia/Tokyo'];
    expect(await readGroup()).toEqual([[null, 'Asia/Tokyo'], shared, shared]);
    await shop.update(third, { timeZone: 'Asia/Hong_Kong' });
    await shop.update(oldest!, { status: 'retired' });
    const charge = await shop.charge(second!.method);
    expect(await shop.pay(oldest!, charge)).toMatchObject({ status: 'matched' });
    await shop.update(oldest!, { status: 'active', sameBankAccountAs: null });
    const zone = 'Asia/Hong_Kong';
    expect(await readGroup()).toEqual([
      [null, zone],
      [null, zone],
      [second!.id, zone],
    ]);
    const trail = await service.prisma.auditEntry.findMany({
      where: { ...scope, action: 'receiving_account.updated', objectId: { in: [fps.id, oldest!.id] } },
      orderBy: { id: 'asc' },
    });
    expect(trail.map(({ detail }) => detail)).toContainEqual({
      sameBankAccounts: { from: null, to: bank.account },
      timeZone: { from: 'Asia/Hong_Kong', to: 'Asia/Tokyo' },
    });
  });

  test('have the same currency, merchant and mode, and no account is its own', async ({ service, shop }) => {
    const sgd = await shop.findAccount({ method: 'paynow' });
    const sandbox = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { merchantId: shop.scope.merchantId, mode: 'sandbox', method: 'hk-bank-transfer' },
    });
    for (const { id } of [sgd, sandbox, shop.fps, { id: 'acc_none' }])
      await expect(shop.update(shop.fps, { sameBankAccountAs: id })).rejects.toMatchObject({
        code: 'receiving_account_invalid',
        inputErrors: [{ path: '/sameBankAccountAs' }],
      });
  });
});
