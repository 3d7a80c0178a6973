import { expect } from 'vitest';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import type { Db } from '../../src/kit/db.ts';

/** Checks all invariants of `causeway check`. */
export async function expectInvariants(db: Db): Promise<void> {
  expect(await checkInvariants(db)).toEqual([]);
}
