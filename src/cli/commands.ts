import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../kit/config.ts';
import { checkCommand } from './check.ts';
import { demoCommand } from './demo.ts';
import { createMerchantCommand, grantMerchantCommand } from './merchant.ts';
import { migrateCommand } from './migrate.ts';
import { importRatesCommand } from './rates.ts';
import { importStatementCommand } from './statement.ts';
import { createOperatorCommand, createUserCommand, resetUserCommand } from './user.ts';
import type { CliService } from './with-service.ts';

export type CommandCall = {
  positionals: string[];
  options: Record<string, string | boolean | undefined>;
  config: Config;
  /** Progress, for the person at the terminal. */
  say: (line: string) => void;
};

/** `json` is printed with --json, `text` without; `failed` makes the exit code 1. */
export type CommandAnswer = { json: unknown; text: string; failed?: boolean };

export type Command = {
  words: string[];
  usage: string;
  summary: string;
  positionals: string[];
  options: NonNullable<ParseArgsConfig['options']>;
  required?: string[];
  run(service: CliService, call: CommandCall): Promise<CommandAnswer>;
};

/** The command line, as documented. */
export const commands: readonly Command[] = [
  createMerchantCommand,
  grantMerchantCommand,
  createOperatorCommand,
  createUserCommand,
  resetUserCommand,
  importStatementCommand,
  importRatesCommand,
  checkCommand,
  migrateCommand,
  demoCommand,
];
