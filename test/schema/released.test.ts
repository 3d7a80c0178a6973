import { existsSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import {
  findNewestRelease,
  findUnannounced,
  listBreakingChanges,
  releasedSchemaFile,
} from '../../scripts/released-schema.ts';

const isReleased = existsSync(releasedSchemaFile);
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

test('the released schema is that of the newest release; `npm run release:schema` writes it', () => {
  const released = isReleased ? readFileSync(releasedSchemaFile, 'utf8') : undefined;
  expect(/^# As released in (\S+)/.exec(released ?? '')?.[1]).toBe(findNewestRelease(changelog));
});

test.skipIf(!isReleased)(
  'nothing that breaks clients of the newest release goes unsaid in the changelog',
  () => {
    const changes = listBreakingChanges(readFileSync(releasedSchemaFile, 'utf8'), schema);
    expect(findUnannounced(changes, changelog)).toEqual([]);
  },
);

describe('a change since a release', () => {
  const charges = 'type Query { charge(id: ID!): Charge } type Charge { id: ID! email: String }';
  const codes = ' enum ErrorCode { internal_error unavailable }';
  const released = charges + codes;
  const log = (top: string) =>
    `# Changelog\n\n## Unreleased\n\n${top}\n\n## 0.1.0 (2026-12-01)\n\nCharge.email was removed.\n`;
  const check = (now: string, top = '') => {
    const changed = buildSchema(now.includes('enum') ? now : now + codes);
    return findUnannounced(listBreakingChanges(released, changed), log(top));
  };

  test('that adds breaks nobody', () => {
    expect(
      check(
        'type Query { charge(id: ID!): Charge me: Charge } type Charge { id: ID! email: String name: String }',
      ),
    ).toEqual([]);
  });

  test.each([
    ['a field taken away', 'type Query { charge(id: ID!): Charge } type Charge { id: ID! }', 'Charge.email'],
    [
      'a field of another type',
      'type Query { charge(id: ID!): Charge } type Charge { id: ID! email: Int }',
      'Charge.email',
    ],
    [
      'an argument that must be given',
      'type Query { charge(id: ID!, mode: String!): Charge } type Charge { id: ID! email: String }',
      'mode',
    ],
    ['an error code taken away', `${charges} enum ErrorCode { internal_error }`, 'unavailable'],
  ])('breaks by %s, unless the top section says so', (_what, now, name) => {
    const [change = '', ...others] = check(now);
    expect([change, others]).toEqual([expect.stringContaining(name), []]);
    expect(check(now, `- Breaking: ${change}`)).toEqual([]);
  });

  test('is held against the newest release', () => {
    expect([findNewestRelease(log('')), findNewestRelease('# Changelog\n\n## Unreleased\n')]).toEqual([
      '0.1.0',
      undefined,
    ]);
  });
});
