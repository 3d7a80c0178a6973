import type { ParseArgsConfig } from 'node:util';
import type { Service } from '../domain/platform/service.ts';
import type { Config } from '../kit/config.ts';
import type { CliDatabase } from './with-service.ts';

export type CommandCall = {
  positionals: string[];
  options: Record<string, string | boolean | undefined>;
  config: Config;
  /** Progress, for the person at the terminal. */
  onProgress: (line: string) => void;
};

/** `json` is printed with --json, `text` without; `failed` makes the exit code 1. */
export type CommandResult = { json: unknown; text: string; failed?: boolean };

/** Most commands work with the service, on a database of the newest schema. */
export type ServiceCommand = {
  run(service: Service, call: CommandCall): Promise<CommandResult>;
};

/** Some work on the database as it is. `alone`: refused while a service holds DATA_DIR. */
export type DatabaseCommand = {
  isExclusive: boolean;
  runOn(database: CliDatabase, call: CommandCall): Promise<CommandResult>;
};

/** How a command is called. What it does is loaded only when it is. */
export type Command = {
  words: string[];
  usage: string;
  summary: string;
  /** The last one may be given several times where it ends in `…`. */
  positionals?: string[];
  options?: NonNullable<ParseArgsConfig['options']>;
  required?: string[];
  /** Works on what is there: where DATA_DIR has no database, none is made for it. */
  needsDatabase?: boolean;
  load(): Promise<ServiceCommand | DatabaseCommand>;
};

/** A call that cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
