import { expect, test } from 'vitest';
import { getBankReference } from '../../../src/domain/payments/allocation/bank-reference.ts';

const statement = { source: 'statement', fileKind: 'mt940' } as const;
const feed = { source: 'feed', fileKind: 'sepay' } as const;
const api = { source: 'feed', fileKind: null } as const;

test.for([
  ['of a statement', { ...statement, bankReference: 'FT26320' }, 'FT26320'],
  ['of a reversal', { ...statement, bankReference: 'reversal:FT26320' }, 'FT26320'],
  ['of a bank feed', { ...feed, bankReference: 'sepay:92704' }, '92704'],
  ['of a reversal of a bank feed', { ...feed, bankReference: 'reversal:sepay:92704' }, '92704'],
  ['that was reused', { ...api, bankReference: `FT26320#${'a7'.repeat(32)}` }, 'FT26320'],
  [
    'that was reused twice',
    { ...api, bankReference: `FT26320#${'a7'.repeat(32)}#${'b8'.repeat(32)}` },
    'FT26320',
  ],
  ['with a number sign', { ...statement, bankReference: 'FT26320#2' }, 'FT26320#2'],
  ['with the prefix of reversals, from your own code', { ...api, bankReference: 'reversal:7' }, 'reversal:7'],
  ['with a colon, from your own code', { ...api, bankReference: 'HSBC:92704' }, 'HSBC:92704'],
] as const)('the bank’s own reference is shown: %s', ([, transfer, reference]) => {
  expect(getBankReference(transfer)).toBe(reference);
});

test('a reference that Causeway assigned is not shown as that of the bank', () => {
  for (const bankReference of ['line:d431625bb8a9:1', 'sha256:d4', 'reversal:line:d4:1'])
    expect(getBankReference({ ...statement, bankReference })).toBeNull();
  expect(getBankReference({ source: 'manual', fileKind: null, bankReference: 'hand-7' })).toBeNull();
});
