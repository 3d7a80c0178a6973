import { expect } from 'vitest';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import type { Db } from '../../src/kit/db.ts';

/** The database keeps every promise that `causeway check` asks it for. */
export async function expectSound(db: Db): Promise<void> {
  expect(await checkInvariants(db)).toEqual([]);
}
