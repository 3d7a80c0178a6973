import { expect } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from './api.ts';
import type { TestApp } from './app.ts';

/** A filter of a list: parameter, value, and the rows that it selects. */
export type ListFilter<Row> = { name: string; query: string; selects: (row: Row) => boolean };

export function listFilters<Row>(
  byName: Record<string, [query: string, selects: (row: Row) => boolean][]>,
): ListFilter<Row>[] {
  return Object.entries(byName).flatMap(([name, filters]) =>
    filters.map(([query, selects]) => ({ name, query, selects })),
  );
}

/** Returns the rows that all filters select. An email takes precedence over a phone, as the interface says. */
function selectRows<Row>(rows: readonly Row[], chosen: readonly ListFilter<Row>[]): Row[] {
  const hasEmail = chosen.some(({ name }) => name === 'customerEmail');
  const used = chosen.filter(({ name }) => !(hasEmail && name === 'customerPhone'));
  return rows.filter((row) => used.every(({ selects }) => selects(row)));
}

function filterPairs<Row>(filters: readonly ListFilter<Row>[]): [ListFilter<Row>, ListFilter<Row>][] {
  return filters.flatMap((first, i) =>
    filters
      .slice(i + 1)
      .filter((other) => other.name !== first.name)
      .map((other): [ListFilter<Row>, ListFilter<Row>] => [first, other]),
  );
}

/**
 * Returns the pairs of parameters whose filters cannot show that both apply: a service that ignores one would return
 * the same rows.
 */
function listUndecidedPairs<Row>(rows: readonly Row[], filters: readonly ListFilter<Row>[]): string[] {
  const count = (chosen: ListFilter<Row>[]) => selectRows(rows, chosen).length;
  const decides = ([first, second]: [ListFilter<Row>, ListFilter<Row>], ignored: ListFilter<Row>) =>
    count([first, second]) !== count(ignored === first ? [second] : [first]);
  const byNames = Map.groupBy(filterPairs(filters), ([first, second]) => `${first.name} ${second.name}`);
  return [...byNames]
    .filter(
      ([, pairs]) =>
        !pairs.some((pair) => decides(pair, pair[1])) || !pairs.some((pair) => decides(pair, pair[0])),
    )
    .map(([names]) => names);
}

/** A list of the REST API; `path` is also the name of the member with the rows. */
type RestList = { app: TestApp; path: string; keys: ModeKeys };

/** Reads a page of the list; fails unless the status is 200. */
export async function getList<Row>(
  { app, path, keys }: RestList,
  query: string,
): Promise<{ rows: Row[]; total: number }> {
  const { status, json } = await callApi(app.app, { method: 'GET', url: `/${path}?${query}`, keys });
  expect([query, status]).toEqual([query, 200]);
  return { rows: json[path], total: json.pagination.total };
}

export type FilteredList<Row> = { list: RestList; rows: readonly Row[]; filters: readonly ListFilter<Row>[] };

/** Tests each filter, every pair and all filters together against the rows of the `filtered` fixture. */
export function testListFilters<Row extends { id: string }>(
  test: (title: string, run: (fixtures: { filtered: FilteredList<Row> }) => Promise<void>) => void,
  noun: string,
) {
  test(`Each filter alone selects exactly the ${noun} that match it`, async ({ filtered }) => {
    expect(filtered.filters).not.toHaveLength(0);
    for (const filter of filtered.filters) await expectSelected(filtered, [filter]);
  });

  test(`Every pair of filters selects exactly the ${noun} that match both`, async ({ filtered }) => {
    const { rows, filters } = filtered;
    expect(listUndecidedPairs(rows, filters)).toEqual(['customerEmail customerPhone']);
    for (const pair of filterPairs(filters)) await expectSelected(filtered, pair);
  });

  test(`All filters together select exactly the ${noun} that match all of them`, async ({ filtered }) => {
    const byName = Map.groupBy(filtered.filters, ({ name }) => name);
    await expectSelected(
      filtered,
      [...byName.values()].map(([first]) => first!),
    );
  });
}

async function expectSelected<Row extends { id: string }>(
  { list, rows }: FilteredList<Row>,
  chosen: ListFilter<Row>[],
): Promise<void> {
  const query = chosen.map((filter) => filter.query).join('&');
  const page = await getList<Row>(list, `${query}&limit=50`);
  const expected = selectRows(rows, chosen).map(({ id }) => id);
  expect([query, page.rows.map(({ id }) => id)]).toEqual([query, expected]);
  expect([query, page.total]).toEqual([query, expected.length]);
}
