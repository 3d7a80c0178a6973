import { expect } from 'vitest';
import { resetSandbox } from '../../../src/domain/operations/sandbox/reset-sandbox.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

test('a reset also deletes money that a concurrent transaction applies to a charge', async ({
  service,
  merchant,
}) => {
  const { id: merchantId } = merchant.merchant;
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', now: noon });
  await payCharge(service, merchant, charge, { now: noon });
  const client = await service.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO allocation SELECT (jsonb_populate_record(a, '{ "id": "al_concurrent" }')).* FROM allocation a
       WHERE charge_id = $1`,
      [charge.id],
    );
    // The deletion of the charge waits for this transaction.
    let commit: Promise<unknown> | undefined;
    const onProgress = (line: string) => {
      if (line.startsWith('allocation:')) commit = client.query('COMMIT');
    };
    await resetSandbox(service, { merchantId, actor: 'operator', now: noon, onProgress });
    await commit;
  } finally {
    client.release();
  }
  const where = { merchantId, mode: 'sandbox' } as const;
  expect(await service.prisma.allocation.count({ where })).toBe(0);
  expect(await service.prisma.charge.count({ where })).toBe(0);
});
