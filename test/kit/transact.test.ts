import { expect, test } from 'vitest';
import { afterCommit, type Db, transact } from '../../src/kit/db.ts';
import { testDatabase } from '../setup/database.ts';

const { db } = await testDatabase();
const insert = (to: Db, key: string, told: string[], fails = false) =>
  transact(to, async (tx) => {
    await tx.$executeRaw`INSERT INTO part (key) VALUES (${key})`;
    afterCommit(tx, () => told.push(key));
    if (fails) throw new Error(`${key} fails`);
  });

test('a transaction within another is a part of it: undone alone, or with the whole', async () => {
  await db.prisma.$executeRaw`CREATE TABLE part (key text PRIMARY KEY)`;
  const told: string[] = [];
  const runParts = (fails: boolean) =>
    transact(db, async (tx) => {
      const within = { ...db, prisma: tx as Db['prisma'] };
      await insert(within, 'first', told);
      await expect(insert(within, 'second', told, true)).rejects.toThrow('second fails');
      // A statement that fails ends its part only.
      await expect(insert(within, 'first', told)).rejects.toThrow('23505');
      await transact(within, async (part) => {
        await insert({ ...db, prisma: part as Db['prisma'] }, 'third', told);
        const fourth = insert({ ...db, prisma: part as Db['prisma'] }, 'fourth', told, true);
        await expect(fourth).rejects.toThrow('fourth fails');
      });
      if (fails) throw new Error('the whole fails');
    });
  await expect(runParts(true)).rejects.toThrow('the whole fails');
  expect(told).toEqual([]);
  await runParts(false);
  const rows = await db.prisma.$queryRaw<{ key: string }[]>`SELECT key FROM part ORDER BY key`;
  expect(rows.map(({ key }) => key)).toEqual(['first', 'third']);
  expect(told).toEqual(['first', 'third']);
});
