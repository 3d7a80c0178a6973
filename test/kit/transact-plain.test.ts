import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { withPgTransaction } from '../../src/kit/with-pg-transaction.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

test('A transaction whose work ignored a failed statement is rolled back and throws', async () => {
  const work = withPgTransaction(service, async (tx) => {
    await tx.query('CREATE TABLE kept (id int)');
    await tx.query('SELECT 1 / 0').catch(() => {});
    return 'done';
  });
  await expect(work).rejects.toThrow('rolled back because a statement failed');
  const { rows } = await service.pool.query("SELECT to_regclass('kept') AS found");
  expect(rows).toEqual([{ found: null }]);
});
