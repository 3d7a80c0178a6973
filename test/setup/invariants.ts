import { expect } from 'vitest';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import type { Db } from '../../src/kit/db.ts';
import { serviceTest } from './fixtures.ts';
import { seedMerchant } from './seed.ts';

/** Checks all invariants of `causeway check`. */
export async function expectInvariants(db: Db): Promise<void> {
  expect(await checkInvariants(db)).toEqual([]);
}

/** Like `serviceTest`, but checks all invariants after each test. */
export const checkedTest = serviceTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return seedMerchant(service);
});
