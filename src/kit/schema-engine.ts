import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { findPrimaryUrl } from './primary-finder.ts';

const require = createRequire(import.meta.url);

/** The part of Prisma's schema engine (the WebAssembly build) that we use. */
type SchemaEngine = {
  applyMigrations(input: unknown): Promise<{ appliedMigrationNames: string[] }>;
  diff(input: unknown): Promise<{ stdout: string | null }>;
  close(): Promise<void>;
};

export const schemaPath = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));

/** The bindings are loaded once per process: two instances would share their state and break each other. */
let loadingBindings: ReturnType<typeof loadBindings> | undefined;

async function loadBindings() {
  const bindingsPath = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import(bindingsPath);
  const wasm = await readFile(bindingsPath.replace(/schema_engine_bg\.js$/, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

/**
 * Loads the engine from its npm package. Prisma downloads the native engine at install time, which closed
 * networks block. The WebAssembly build is the same engine and uses the same `_prisma_migrations` table.
 */
export async function loadSchemaEngine(connectionString: string): Promise<SchemaEngine> {
  loadingBindings ??= loadBindings();
  const bindings = await loadingBindings;
  const adapters: SqlDriverAdapter[] = [];
  const adapter = bindMigrationAwareSqlAdapterFactory(
    sendWholeScripts(new PrismaPg({ connectionString: await findPrimaryUrl(connectionString) }), adapters),
  );
  const schema = await readFile(schemaPath, 'utf8');
  const engine = await bindings.SchemaEngine.new({ datamodels: [[schemaPath, schema]] }, () => {}, adapter);
  return {
    applyMigrations: (input) => engine.applyMigrations(input),
    diff: (input) => engine.diff(input),
    close: async () => {
      await Promise.all(adapters.map((adapter) => adapter.dispose()));
    },
  };
}

/**
 * Makes each adapter of `factory` send a script as a whole, and collects the adapters in `adapters`. Otherwise an
 * adapter would split a script at every semicolon, which breaks function bodies, and leaves a partial migration when
 * the process is killed. PostgreSQL runs a whole script as one transaction.
 */
function sendWholeScripts(factory: PrismaPg, adapters: SqlDriverAdapter[]): PrismaPg {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapters.push(adapter);
    adapter.executeScript = async (script) => {
      await adapter.underlyingDriver().query(script);
    };
    return adapter;
  };
  return factory;
}
