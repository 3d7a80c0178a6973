import { expect, test } from 'vitest';
import { updatePeriod } from '../../src/dashboard/pages/reconciliation/period.ts';

const november = { from: '2026-11-01', to: '2026-11-30' };

test('a day typed by keyboard moves the other end only when the field is left', () => {
  const typed = ['', '0002-11-30', '0020-11-30', '0202-11-30', '2025-11-30'];
  for (const day of typed)
    expect(updatePeriod(november, { end: 'to', day, isBlurred: false })).toBeUndefined();
  const left = updatePeriod(november, { end: 'to', day: '2025-11-30', isBlurred: true });
  expect(left).toEqual({ from: '2025-11-30', to: '2025-11-30' });
  expect(updatePeriod(november, { end: 'to', day: '0202-11-30', isBlurred: true })).toBeUndefined();
});

test('a day that fits is taken at once', () => {
  const chosen = updatePeriod(november, { end: 'from', day: '2026-10-01', isBlurred: false });
  expect(chosen).toEqual({ from: '2026-10-01', to: '2026-11-30' });
  expect(updatePeriod(november, { end: 'from', day: '2026-11-01', isBlurred: true })).toBeUndefined();
});
