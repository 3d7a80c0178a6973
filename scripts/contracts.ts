import { readFile } from 'node:fs/promises';
import { printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';
import { commands } from '../src/cli/commands.ts';
import { type EventType, eventTypes } from '../src/event/catalog.ts';
import { getMigrationChecksum, readMigrations } from '../src/kit/migrate.ts';
import * as openApi from './released-openapi.ts';
import * as graphql from './released-schema.ts';

/** A public interface. Each release saves it as a file in the folder `contracts`. */
type Contract = {
  print(): Promise<string>;
  /** Lists the changes since the released text that can break users, one sentence each. */
  listBreakingChanges(released: string): Promise<string[]>;
};

export const contractsFolder = new URL('../contracts/', import.meta.url);

/** The file with the version whose interfaces are saved. */
export const releasedVersionFile = new URL('VERSION', contractsFolder);

const readText = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** Creates a contract that is saved as JSON. */
function createJsonContract<T>(
  read: () => T | Promise<T>,
  compare: (released: T, current: T) => string[],
): Contract {
  return {
    print: async () => `${JSON.stringify(await read(), null, 2)}\n`,
    listBreakingChanges: async (released) => compare(JSON.parse(released) as T, await read()),
  };
}

/** All contracts by the names of their files. */
export const contracts: Readonly<Record<string, Contract>> = {
  'openapi.json': createJsonContract(openApi.buildOpenApi, openApi.listBreakingChanges),
  'schema.graphql': {
    print: async () => `${printSchema(schema)}\n`,
    listBreakingChanges: async (released) => graphql.listBreakingChanges(released, schema),
  },
  'event-types.json': createJsonContract<EventTypes>(() => eventTypes, listEventTypeChanges),
  'environment.json': createJsonContract(readVariables, listVariableChanges),
  'commands.json': createJsonContract(listCommands, listCommandChanges),
  'migrations.json': createJsonContract(readChecksums, listMigrationChanges),
};

type EventTypes = Partial<Record<EventType, { object: string; since: string }>>;

export function listEventTypeChanges(released: EventTypes, current: EventTypes): string[] {
  return compareMembers('event type', released, current, (before, after) => [
    ...(before.object === after.object ? [] : [`is about a ${after.object}, not a ${before.object}`]),
    // The text `never` is greater than every version.
    ...(after.since > before.since ? [`is sent from version ${after.since}, not ${before.since}`] : []),
  ]);
}

type Variables = Record<string, { default: string; values: string }>;

/** Reads the environment variables from their reference page, which a test compares with the code. */
async function readVariables(): Promise<Variables> {
  const rows = (await readText('docs/reference/environment.md')).matchAll(
    /^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|/gm,
  );
  return Object.fromEntries(
    [...rows].map(([, name, defaultValue, values]) => [name!, { default: defaultValue!, values: values! }]),
  );
}

export function listVariableChanges(released: Variables, current: Variables): string[] {
  return compareMembers('variable', released, current, (before, after) => [
    ...(before.default === after.default
      ? []
      : [`has the default ${after.default} instead of ${before.default}`]),
    ...(before.values === after.values ? [] : [`accepts ${after.values} instead of ${before.values}`]),
  ]);
}

type Commands = Record<
  string,
  { positionals: string[]; options: Record<string, { type: string }>; required: string[] }
>;

function listCommands(): Commands {
  return Object.fromEntries(
    commands.map(({ words, positionals = [], options = {}, required = [] }) => [
      words.join(' '),
      { positionals, options, required },
    ]),
  );
}

export function listCommandChanges(released: Commands, current: Commands): string[] {
  return compareMembers('command', released, current, (before, after) => [
    ...(before.positionals.join(' ') === after.positionals.join(' ')
      ? []
      : [`takes "${after.positionals.join(' ')}" instead of "${before.positionals.join(' ')}"`]),
    ...Object.entries(before.options).flatMap(([option, { type }]) => {
      const now = after.options[option]?.type;
      return now === type ? [] : [now ? `takes ${option} as a ${now}` : `takes no ${option}`];
    }),
    ...after.required
      .filter((option) => !before.required.includes(option))
      .map((option) => `requires the option ${option}`),
  ]);
}

async function readChecksums(): Promise<Record<string, string>> {
  const migrations = await readMigrations();
  return Object.fromEntries(migrations.map(({ name, sql }) => [name, getMigrationChecksum(sql)]));
}

/** Lists the released migrations that are gone or changed: databases could no longer be upgraded. */
export function listMigrationChanges(
  released: Record<string, string>,
  current: Record<string, string>,
): string[] {
  return compareMembers('migration', released, current, (before, after) =>
    before === after ? [] : ['was changed'],
  );
}

/** Lists the members that are gone, and the changes of the others. Additions are compatible. */
function compareMembers<T>(
  kind: string,
  released: Partial<Record<string, T>>,
  current: Partial<Record<string, T>>,
  compare: (before: T, after: T) => string[],
): string[] {
  return Object.entries(released).flatMap(([name, before]) => {
    const after = current[name];
    if (after === undefined) return [`The ${kind} ${name} is gone`];
    return compare(before!, after).map((change) => `The ${kind} ${name} ${change}`);
  });
}
