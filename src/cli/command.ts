import type { ParseArgsConfig } from 'node:util';
import type { Service } from '../domain/platform/service.ts';
import type { Config } from '../kit/config.ts';
import type { CliDatabase } from './with-service.ts';

export type CommandCall = {
  positionals: string[];
  options: Record<string, string | boolean | undefined>;
  config: Config;
  /** Progress, for the person at the terminal. */
  say: (line: string) => void;
};

/** `json` is printed with --json, `text` without; `failed` makes the exit code 1. */
export type CommandAnswer = { json: unknown; text: string; failed?: boolean };

/** Most commands work with the service, on a database of the newest schema. */
export type ServiceCommand = {
  run(service: Service, call: CommandCall): Promise<CommandAnswer>;
};

/** Some work on the database as it is. `alone`: refused while a service holds DATA_DIR. */
export type DatabaseCommand = {
  alone: boolean;
  runOn(database: CliDatabase, call: CommandCall): Promise<CommandAnswer>;
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
  onExisting?: boolean;
  load(): Promise<ServiceCommand | DatabaseCommand>;
};

/** A call that cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
