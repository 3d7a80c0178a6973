import { expect, test } from 'vitest';
import { formatNothingReceived } from '../../src/dashboard/pages/charge/format-nothing-received.ts';

test('a charge of which the bank took the money back is not said to be completed by hand', () => {
  const allocations = [{ amount: '128.50' }, { amount: '-128.50' }];
  expect(formatNothingReceived({ status: 'completed', allocations })).toBe(
    'Nothing: the payment was reversed or unassigned',
  );
  expect(formatNothingReceived({ status: 'completed', allocations: [] })).toBe(
    'Completed manually, without a transfer',
  );
  expect(formatNothingReceived({ status: 'pending', allocations: [] })).toBe('Nothing yet');
});
