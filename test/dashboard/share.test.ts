import { describe, expect, test } from 'vitest';
import { percentToShare, shareToPercent } from '../../src/dashboard/format/share.ts';

describe('a share as people write it', () => {
  test.each([
    ['0', '0'],
    ['0.015', '1.5'],
    ['0.1', '10'],
    ['0.0125', '1.25'],
    ['0.02', '2'],
    ['0.0001', '0.01'],
  ])('%s is %s %%, and back', (share, percent) => {
    expect([shareToPercent(share), percentToShare(percent)]).toEqual([percent, share]);
  });

  test('takes a comma and a sign, and gives on what is no number', () => {
    expect(['1,5', ' 2 % ', '-1', 'x', ''].map(percentToShare)).toEqual(['0.015', '0.02', '-1', 'x', '']);
  });
});
