import { expect, test } from 'vitest';
import { toRuns } from '../../src/document/fonts.ts';

test('a text is divided by the fonts that set it', () => {
  expect(toRuns('฿5')).toEqual([
    { font: 'thai', text: '฿' },
    { font: 'latin', text: '5' },
  ]);
  expect(toRuns('ชา茶 tea')).toEqual([
    { font: 'thai', text: 'ชา' },
    { font: 'cjk', text: '茶' },
    { font: 'latin', text: ' tea' },
  ]);
});
