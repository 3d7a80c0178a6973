import { Prisma, type ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { toAccountError } from './account-settings.ts';
import { getReceivingAccount } from './get-receiving-account.ts';

/**
 * A receiving account, and the IDs of all receiving accounts that are the same bank account, including its own.
 * Customers pay to them by different methods, but the bank reports their transfers together.
 */
export type BankAccount = ReceivingAccount & { sharedIds: readonly string[] };

/** Returns a subquery for the IDs of the receiving accounts that are the same bank account as the one with the ID. */
export const sharedIdsSql = (id: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT shared.id FROM receiving_account own JOIN receiving_account shared
    ON coalesce(shared.shared_bank_account_id, shared.id) = coalesce(own.shared_bank_account_id, own.id)
  WHERE own.id = ${id}`;

type Reads = { prisma: Db['prisma'] | Tx };

/** Returns the IDs of the receiving accounts that are the same bank account, including the given one. */
export async function readSharedIds(reads: Reads, id: string): Promise<string[]> {
  return (await readSharedIdsByAccount(reads, [id])).get(id) ?? [];
}

/** Returns the result of `readSharedIds` for each of several accounts, by ID. */
export async function readSharedIdsByAccount(
  { prisma }: Reads,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await prisma.$queryRaw<{ id: string; shared: string[] }[]>`
    SELECT own.id, array_agg(shared.id ORDER BY shared.id) AS shared
    FROM receiving_account own JOIN receiving_account shared
      ON coalesce(shared.shared_bank_account_id, shared.id) = coalesce(own.shared_bank_account_id, own.id)
    WHERE own.id = ANY(${ids}) GROUP BY own.id`;
  return new Map(rows.map(({ id, shared }) => [id, shared]));
}

/** Returns, for each of the IDs, the other receiving accounts that are the same bank account, oldest first. */
export async function findSameBankAccounts(
  { prisma }: Reads,
  ids: readonly string[],
): Promise<Map<string, ReceivingAccount[]>> {
  const sharedIds = await readSharedIdsByAccount({ prisma }, ids);
  const others = [...sharedIds].flatMap(([id, shared]) => shared.filter((other) => other !== id));
  const accounts =
    others.length === 0 ? [] : await prisma.receivingAccount.findMany({ where: { id: { in: others } } });
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const toOthers = (id: string, shared: string[]) =>
    shared.flatMap((other) => (other === id ? [] : (byId.get(other) ?? [])));
  return new Map([...sharedIds].map(([id, shared]) => [id, toOthers(id, shared)]));
}

/**
 * Locks a receiving account and all that are the same bank account, in the order of IDs, and returns their IDs.
 * Serializes changes of an account and the recording of its transfers, so that concurrent imports cannot record a
 * transfer twice. Does not block new charges, which only reference the row.
 */
export async function lockSharedIds(tx: Tx, scopedId: ScopedId): Promise<string[]> {
  const { merchantId, mode, id } = scopedId;
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM receiving_account WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
      AND (id = ${id} OR coalesce(shared_bank_account_id, id) =
        (SELECT coalesce(shared_bank_account_id, id) FROM receiving_account WHERE id = ${id}))
    ORDER BY id FOR NO KEY UPDATE`;
  if (locked.length === 0) return [];
  // Another account may have joined while this transaction waited for the locks.
  const sharedIds = await readSharedIds({ prisma: tx }, id);
  const isLocked = sharedIds.every((sharedId) => locked.some((row) => row.id === sharedId));
  return isLocked ? sharedIds : lockSharedIds(tx, scopedId);
}

/** Locks an account with `lockSharedIds`, and adds the IDs. */
export async function lockBankAccount(tx: Tx, account: ReceivingAccount): Promise<BankAccount> {
  return { ...account, sharedIds: await lockSharedIds(tx, account) };
}

/** Locks an account with `lockSharedIds` and returns it. Throws `receiving_account_not_found`. */
export async function lockReceivingAccount(tx: Tx, scopedId: ScopedId): Promise<BankAccount> {
  const sharedIds = await lockSharedIds(tx, scopedId);
  return { ...(await getReceivingAccount({ prisma: tx }, scopedId)), sharedIds };
}

/** The settings that describe the reports of a bank. They are equal for all receiving accounts of a bank account. */
type ReportSettings = Pick<ReceivingAccount, 'timeZone' | 'reusesBankReferences'>;

/** The other receiving accounts that a change leaves in a bank account, and the settings to take over from them. */
export type BankAccountChoice = { others: ReceivingAccount[]; settings: Partial<ReportSettings> };

/**
 * Returns which other receiving accounts will be the same bank account as the given one: `sameAs` and all that are the
 * same as `sameAs`, none if `sameAs` is null, and the current ones if it is undefined. Locks them. A new account has no
 * ID yet. Error: `receiving_account_invalid`.
 */
export async function chooseBankAccount(
  tx: Tx,
  account: Pick<BankAccount, 'merchantId' | 'mode' | 'currency' | 'sharedIds'> & { id?: string },
  sameAs: string | null | undefined,
): Promise<BankAccountChoice> {
  const { id, merchantId, mode, currency, sharedIds } = account;
  if (sameAs === null) return { others: [], settings: {} };
  const ids = sameAs === undefined ? sharedIds : await lockSharedIds(tx, { merchantId, mode, id: sameAs });
  const others = await tx.receivingAccount.findMany({
    where: { merchantId, mode, currency, id: { in: ids.filter((other) => other !== id) } },
    orderBy: { id: 'asc' },
  });
  if (sameAs === undefined) return { others, settings: {} };
  const target = others.find((other) => other.id === sameAs);
  if (!target)
    throw toAccountError([
      { path: '/sameBankAccountAs', message: `must be the ID of another receiving account in ${currency}` },
    ]);
  const { timeZone, reusesBankReferences } = target;
  return { others, settings: { timeZone, reusesBankReferences } };
}

/**
 * Stores that the account is the same bank account as `others`, and the settings of reports in all of them. The
 * accounts that were the same before, and no longer are, stay one bank account without it.
 */
export async function storeBankAccount(
  tx: Tx,
  account: BankAccount,
  { others, settings }: BankAccountChoice,
): Promise<void> {
  const { id, sharedIds } = account;
  const newIds = [id, ...others.map((other) => other.id)];
  const formerIds = sharedIds.filter((sharedId) => !newIds.includes(sharedId));
  if (formerIds.length > 0 || newIds.length > sharedIds.length) {
    await storeSharedIds(tx, formerIds);
    await storeSharedIds(tx, newIds);
  }
  const { timeZone, reusesBankReferences } = settings;
  if (newIds.length > 1 && (timeZone !== undefined || reusesBankReferences !== undefined))
    await tx.receivingAccount.updateMany({
      where: { id: { in: newIds } },
      data: {
        ...(timeZone !== undefined && { timeZone }),
        ...(reusesBankReferences !== undefined && { reusesBankReferences }),
      },
    });
}

async function storeSharedIds(tx: Tx, ids: readonly string[]): Promise<void> {
  const [oldest, ...others] = ids.toSorted();
  if (oldest === undefined) return;
  await tx.receivingAccount.update({ where: { id: oldest }, data: { sharedBankAccountId: null } });
  await tx.receivingAccount.updateMany({
    where: { id: { in: others } },
    data: { sharedBankAccountId: oldest },
  });
}
