import { expect, test } from 'vitest';
import { recordEvent, recordTogether } from '../../src/event/record-event.ts';
import { type Tx, transact } from '../../src/kit/db.ts';
import { noon } from '../setup/makers.ts';
import { testService } from '../setup/service.ts';

const service = await testService();

function record(tx: Tx, objectId: string, objectVersion: number) {
  return recordEvent(tx, {
    merchantId: 'mer_1',
    mode: 'live',
    message: 'charge_created',
    objectId,
    objectVersion,
    payload: { objectId, objectVersion },
    actor: 'job:test',
    now: noon,
  });
}

async function recorded() {
  const events = await service.prisma.event.findMany({ orderBy: { id: 'asc' } });
  return events.map(({ objectId, objectVersion }) => `${objectId} ${objectVersion}`);
}

test('events recorded together are written in their order, with those after them; of work that fails, none', async () => {
  const failing = transact(service, (tx) =>
    recordTogether(tx, async () => {
      await record(tx, 'ch_lost', 1);
      throw new Error('stop');
    }),
  );
  await expect(failing).rejects.toThrow('stop');
  const done = await transact(service, async (tx) => {
    const result = await recordTogether(tx, async () => {
      for (const [id, version] of [
        ['ch_b', 1],
        ['ch_a', 1],
        ['ch_b', 2],
      ] as const)
        await record(tx, id, version);
      return 'done';
    });
    await record(tx, 'ch_c', 1);
    return result;
  });
  expect(done).toBe('done');
  expect(await recorded()).toEqual(['ch_b 1', 'ch_a 1', 'ch_b 2', 'ch_c 1']);
});
