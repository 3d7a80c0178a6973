import type { ParseArgsConfig } from 'node:util';
import type { Service } from '../domain/platform/service.ts';
import type { Config } from '../kit/config.ts';
import type { DirectDatabase } from './with-service.ts';

export type CommandCall = {
  positionals: string[];
  options: Record<string, string | boolean | undefined>;
  config: Config;
  /** Prints progress to the terminal. */
  onProgress: (line: string) => void;
  /** A direct connection to PostgreSQL, not through a connection pooler. */
  connectionString: string;
};

/** `json` is printed with --json, `text` without it; `failed` sets the exit code to 1. */
export type CommandResult = { json: unknown; text: string; failed?: boolean };

/** A command that needs the service on a migrated database, as most do. */
export type ServiceCommand = {
  run(service: Service, call: CommandCall): Promise<CommandResult>;
};

/**
 * A command that works on the database without migrating it. Exclusive commands are rejected while a service uses
 * DATA_DIR.
 */
export type DatabaseCommand = {
  isExclusive: boolean;
  runOn(database: DirectDatabase, call: Omit<CommandCall, 'connectionString'>): Promise<CommandResult>;
};

/** A command that uses a service over its API, and needs neither the service's environment nor its database. */
export type ApiCommand = {
  runOverApi(
    call: Pick<CommandCall, 'positionals' | 'options' | 'onProgress'> & {
      env: NodeJS.ProcessEnv;
      signal: AbortSignal;
    },
  ): Promise<CommandResult>;
};

/** The syntax of a command. `load` imports its implementation on demand. */
export type Command = {
  words: string[];
  usage: string;
  summary: string;
  /** The names of the positional arguments. If the last ends in `…`, it accepts several values. */
  positionals?: string[];
  options?: NonNullable<ParseArgsConfig['options']>;
  required?: string[];
  /** Requires an existing database in DATA_DIR instead of creating one. */
  needsDatabase?: boolean;
  load(): Promise<ServiceCommand | DatabaseCommand | ApiCommand>;
};

/** An error in the command line arguments, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
