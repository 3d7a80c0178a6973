import { expect, test } from 'vitest';
import { matchesFileName } from '../../src/feed/pull/match-file-name.ts';

test.for<[pattern: string, matching: string[], others: string[]]>([
  ['*', ['a.xml', ''], []],
  ['*.xml', ['a.xml', '.xml', 'A.XML', 'a.xml.xml'], ['a.xml.gz', 'xml', 'a.xm']],
  ['CAMT*053*.xml', ['camt.053.xml', 'camt053053x.xml'], ['camt.052.xml', 'x-camt.053.xml']],
  ['a?c', ['abc', 'A.c'], ['ac', 'abbc']],
  ['?', ['a'], ['', 'ab']],
  ['a**b', ['ab', 'axb'], ['a', 'ba']],
  ['*ab*ab', ['abab', 'abxab', 'aabbab'], ['ab', 'aba']],
  ['', [''], ['a']],
  ['[ab].{xml,txt}', ['[ab].{xml,txt}'], ['a.xml', 'b.txt']],
  ['!(a)+@.xml', ['!(a)+@.xml'], ['b.xml', 'a.xml']],
])('The pattern %s selects files with * and ? only', ([pattern, matching, others]) => {
  expect(matching.filter((name) => !matchesFileName(name, pattern))).toEqual([]);
  expect(others.filter((name) => matchesFileName(name, pattern))).toEqual([]);
});

test('A pattern with many asterisks is compared quickly, also with a long name', () => {
  const patterns = [`${'*a'.repeat(49)}*b`, `*${'a'.repeat(98)}b`, `*${'?'.repeat(97)}b*`];
  const { user } = process.cpuUsage();
  for (const pattern of patterns)
    for (const length of [250, 100_000]) expect(matchesFileName('a'.repeat(length), pattern)).toBe(false);
  expect(process.cpuUsage().user - user).toBeLessThan(100_000);
});
