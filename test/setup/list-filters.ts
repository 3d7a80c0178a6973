import { expect, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from './api.ts';
import type { TestApp } from './app.ts';

/** A filter of a list: the parameter with its value, and which rows it selects. */
export type ListFilter<Row> = { name: string; query: string; selects: (row: Row) => boolean };

/** Names each parameter with the filters that are tried for it. */
export function listFilters<Row>(
  byName: Record<string, [query: string, selects: (row: Row) => boolean][]>,
): ListFilter<Row>[] {
  return Object.entries(byName).flatMap(([name, filters]) =>
    filters.map(([query, selects]) => ({ name, query, selects })),
  );
}

/** The rows that all filters select together. A phone is ignored beside an email, as the interface says. */
function selectRows<Row>(rows: readonly Row[], chosen: readonly ListFilter<Row>[]): Row[] {
  const hasEmail = chosen.some(({ name }) => name === 'customerEmail');
  const used = chosen.filter(({ name }) => !(hasEmail && name === 'customerPhone'));
  return rows.filter((row) => used.every(({ selects }) => selects(row)));
}

/** Every two filters of different parameters. */
function filterPairs<Row>(filters: readonly ListFilter<Row>[]): [ListFilter<Row>, ListFilter<Row>][] {
  return filters.flatMap((one, i) =>
    filters
      .slice(i + 1)
      .filter((other) => other.name !== one.name)
      .map((other): [ListFilter<Row>, ListFilter<Row>] => [one, other]),
  );
}

/**
 * The pairs of parameters for which no pair of filters shows that both count: a service that ignores one of them would
 * answer every such pair correctly.
 */
function undecidedPairs<Row>(rows: readonly Row[], filters: readonly ListFilter<Row>[]): string[] {
  const count = (chosen: ListFilter<Row>[]) => selectRows(rows, chosen).length;
  const decides = ([one, other]: [ListFilter<Row>, ListFilter<Row>], ignored: ListFilter<Row>) =>
    count([one, other]) !== count(ignored === one ? [other] : [one]);
  const byNames = Map.groupBy(filterPairs(filters), ([one, other]) => `${one.name} ${other.name}`);
  return [...byNames]
    .filter(
      ([, pairs]) =>
        !pairs.some((pair) => decides(pair, pair[1])) || !pairs.some((pair) => decides(pair, pair[0])),
    )
    .map(([names]) => names);
}

/** A list of the REST API: its path, which is also the member that holds the rows, and who asks. */
export type RestList = { app: TestApp; path: string; keys: ModeKeys };

/** Asks for a page of the list; fails unless it is answered with 200. */
export async function getList<Row>(
  { app, path, keys }: RestList,
  query: string,
): Promise<{ rows: Row[]; total: number }> {
  const { status, json } = await callApi(app.app, { method: 'GET', url: `/${path}?${query}`, keys });
  expect([query, status]).toEqual([query, 200]);
  return { rows: json[path], total: json.pagination.total };
}

type FilteredList<Row> = { list: RestList; rows: readonly Row[]; filters: readonly ListFilter<Row>[] };

/** Compares what the list answers to each filter, every pair and all together with a plain list of its rows. */
export function testListFilters<Row extends { id: string }>(noun: string, given: () => FilteredList<Row>) {
  test(`Each filter alone selects exactly the ${noun} that match it`, async () => {
    const { filters } = given();
    expect(filters).not.toHaveLength(0);
    for (const filter of filters) await expectSelected(given(), [filter]);
  });

  test(`Every pair of filters selects exactly the ${noun} that match both`, async () => {
    const { rows, filters } = given();
    expect(undecidedPairs(rows, filters)).toEqual(['customerEmail customerPhone']);
    for (const pair of filterPairs(filters)) await expectSelected(given(), pair);
  });

  test(`All filters together select exactly the ${noun} that match all of them`, async () => {
    const byName = Map.groupBy(given().filters, ({ name }) => name);
    await expectSelected(
      given(),
      [...byName.values()].map(([first]) => first!),
    );
  });
}

async function expectSelected<Row extends { id: string }>(
  { list, rows }: FilteredList<Row>,
  chosen: ListFilter<Row>[],
): Promise<void> {
  const query = chosen.map((filter) => filter.query).join('&');
  const answer = await getList<Row>(list, `${query}&limit=50`);
  const expected = selectRows(rows, chosen).map(({ id }) => id);
  expect([query, answer.rows.map(({ id }) => id)]).toEqual([query, expected]);
  expect([query, answer.total]).toEqual([query, expected.length]);
}
