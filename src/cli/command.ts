import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../kit/config.ts';
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
