import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  contracts,
  contractsFolder,
  listCommandChanges,
  listEventTypeChanges,
  listMigrationChanges,
  listVariableChanges,
  releasedVersionFile,
} from '../scripts/contracts.ts';
import { findNewestRelease, findUnannounced } from '../scripts/released-schema.ts';

const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
const released = (file: string) => {
  const url = new URL(file, contractsFolder);
  return existsSync(url) ? readFileSync(url, 'utf8') : undefined;
};

describe('The contracts', () => {
  test('are those of the newest release in the changelog (`npm run release:contracts`)', () => {
    const version = existsSync(releasedVersionFile)
      ? readFileSync(releasedVersionFile, 'utf8').trim()
      : undefined;
    expect(version).toBe(findNewestRelease(changelog));
    const saved = Object.keys(contracts).filter((file) => released(file) !== undefined);
    expect(saved).toEqual(version === undefined ? [] : Object.keys(contracts));
  });

  test.each(Object.entries(contracts))(
    'of %s have no breaking change that the changelog does not announce',
    async (file, contract) => {
      const changes = await contract.listBreakingChanges(released(file) ?? (await contract.print()));
      // A changed migration makes upgrades impossible, so no announcement permits it.
      expect(file === 'migrations.json' ? changes : findUnannounced(changes, changelog)).toEqual([]);
    },
  );

  test.each([
    ['openapi.json', '"/charges/{id}"'],
    ['schema.graphql', 'type Charge implements Node'],
    ['event-types.json', '"charge_expired": {\n    "object": "charge",\n    "since": "1.0"'],
    ['environment.json', '"PORT": {\n    "default": "4000",\n    "values": "0 to 65,535"'],
    ['commands.json', '"merchant grant": {\n    "positionals": [\n      "ID"'],
    ['migrations.json', '_baseline": "'],
  ])('of %s contain the interface', async (file, text) => {
    expect(await contracts[file]!.print()).toContain(text);
  });
});

describe('A breaking change', () => {
  const create = {
    positionals: ['ID'],
    options: { name: { type: 'string' } },
    required: ['name'],
  };
  const port = { default: '4000', values: '0 to 65535' };
  const paid = { object: 'charge', since: '0.9' };

  test('does not include additions', () => {
    const options = { ...create.options, email: { type: 'string' } };
    expect([
      ...listCommandChanges({ create }, { create: { ...create, options, required: [] }, check: create }),
      ...listVariableChanges({ PORT: port }, { PORT: port, HOST: port }),
      ...listEventTypeChanges(
        { charge_created: paid },
        { charge_created: { ...paid, since: '0.8' }, charge_expired: paid },
      ),
      ...listMigrationChanges({ '1_baseline': 'a' }, { '1_baseline': 'a', '2_next': 'b' }),
    ]).toEqual([]);
  });

  test.each([
    ['The command create is gone', listCommandChanges({ create }, {})],
    [
      'The command create takes no name',
      listCommandChanges({ create }, { create: { ...create, options: {} } }),
    ],
    [
      'The command create takes name as a boolean',
      listCommandChanges({ create }, { create: { ...create, options: { name: { type: 'boolean' } } } }),
    ],
    [
      'The command create requires the option email',
      listCommandChanges({ create }, { create: { ...create, required: ['name', 'email'] } }),
    ],
    [
      'The command create takes "ID URL" instead of "ID"',
      listCommandChanges({ create }, { create: { ...create, positionals: ['ID', 'URL'] } }),
    ],
    ['The variable PORT is gone', listVariableChanges({ PORT: port }, {})],
    [
      'The variable PORT has the default 80 instead of 4000',
      listVariableChanges({ PORT: port }, { PORT: { ...port, default: '80' } }),
    ],
    [
      'The variable PORT accepts 1 to 9 instead of 0 to 65535',
      listVariableChanges({ PORT: port }, { PORT: { ...port, values: '1 to 9' } }),
    ],
    ['The event type charge_created is gone', listEventTypeChanges({ charge_created: paid }, {})],
    [
      'The event type charge_created is sent from version never, not 0.9',
      listEventTypeChanges({ charge_created: paid }, { charge_created: { ...paid, since: 'never' } }),
    ],
    [
      'The event type charge_created is about a refund, not a charge',
      listEventTypeChanges({ charge_created: paid }, { charge_created: { ...paid, object: 'refund' } }),
    ],
    ['The migration 1_baseline is gone', listMigrationChanges({ '1_baseline': 'a' }, {})],
    [
      'The migration 1_baseline was changed',
      listMigrationChanges({ '1_baseline': 'a' }, { '1_baseline': 'b' }),
    ],
  ])('is reported as "%s"', (change, changes) => {
    expect(changes).toEqual([change]);
  });
});
