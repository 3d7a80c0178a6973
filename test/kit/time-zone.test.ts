import { expect, test } from 'vitest';
import { toLocalDate } from '../../src/kit/time-zone.ts';

test('the date of a moment depends on where one is', () => {
  const at = new Date('2026-11-17T16:30:00Z');
  expect(toLocalDate(at, 'Asia/Hong_Kong')).toBe('2026-11-18');
  expect(toLocalDate(at, 'UTC')).toBe('2026-11-17');
});
