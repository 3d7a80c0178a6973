import { expect, test } from 'vitest';
import { nothingText } from '../../src/dashboard/pages/charge/received-text.ts';

test('a charge of which the bank took the money back is not said to be completed by hand', () => {
  const allocations = [{ amount: '128.50' }, { amount: '-128.50' }];
  expect(nothingText({ status: 'completed', allocations })).toBe(
    'Nothing: the payment was reversed or unassigned',
  );
  expect(nothingText({ status: 'completed', allocations: [] })).toBe(
    'Completed manually, without a transfer',
  );
  expect(nothingText({ status: 'pending', allocations: [] })).toBe('Nothing yet');
});
