import { expect, test } from 'vitest';
import { diffInput } from '../../src/dashboard/components/use-changes.ts';

test('of a form only what it says otherwise than before is sent: lists whole, and what was emptied', () => {
  const before = { holder: 'Lau', minAmount: '5.00', weight: 1, schemes: ['shop'], countries: ['GB'] };
  const now = { ...before, minAmount: null, schemes: ['shop', 'app'], countries: ['GB'] };
  expect(diffInput<object>(before, now)).toEqual({ minAmount: null, schemes: ['shop', 'app'] });
  expect(diffInput(before, { ...before })).toEqual({});
});
