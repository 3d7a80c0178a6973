import { expect, test } from 'vitest';
import { checkInvariants } from '../../../src/domain/operations/check/check-invariants.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { playOnService } from './play-on-service.ts';
import { readTimelines } from './simulate.ts';

const onCleanup = cleanupAfterFile();

/** The worked timelines once more, on the service and its database; every sixth in `npm test`, all in the long suites. */
const timelines = readTimelines().filter((_, i) => i % count(6, 1) === 0);

const service = await setupService(onCleanup);
const merchant = await seedMerchant(service, {}, new Date('2026-01-01T00:00:00.000Z'));

test.each(timelines.map((text) => [text.slice(2, text.indexOf('\n')), text]))('%s', async (_title, text) => {
  expect(await playOnService(service, merchant, text)).toBe(text);
});

test('nothing above has broken a promise of the database', async () => {
  const broken = (await checkInvariants(service)).map(({ name }) => name);
  // Each is taken from the sweeps when it has been played.
  expect(broken.filter((name) => name !== 'subscription_looked_after')).toEqual([]);
});
