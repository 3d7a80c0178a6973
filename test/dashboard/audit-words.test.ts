import { expect, test } from 'vitest';
import { actionTexts, auditCategories } from '../../src/dashboard/pages/audit/action-texts.ts';
import { auditActions } from '../../src/domain/platform/audit/record-audit.ts';

/** What the audit page says of what the domain records. */

/** Of the whole installation: no merchant's log has them. */
const ofOperators = new Set(['job', 'exchange_rate']);

test('every action has words of its own, and no words are of none', () => {
  expect(Object.keys(actionTexts).sort()).toEqual([...auditActions].sort());
  expect(new Set(Object.values(actionTexts)).size).toBe(auditActions.length);
});

test('every action of a merchant is found by what the log can be narrowed to, and by one choice alone', () => {
  const nouns = new Set(auditActions.map((action) => action.split('.')[0] as string));
  const found = auditCategories.flatMap((subject) => subject.nouns);
  expect([...found, ...ofOperators].sort()).toEqual([...nouns].sort());
});
