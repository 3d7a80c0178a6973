import { execFile } from 'node:child_process';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { createEnv, projectRoot } from '../process/run-service.ts';
import type { Json } from '../setup/graphql.ts';

export type CliResult = {
  code: number;
  stdout: string;
  stderr: string;
  /** The output of a call with --json. */
  json: Json;
};

/** Runs the command line in this process. */
export async function runCli(env: Record<string, string>, args: string[]): Promise<CliResult> {
  const output = { out: '', err: '' };
  const code = await runCommandLine(args, {
    env: createEnv(env),
    out: (text) => {
      output.out += `${text}\n`;
    },
    err: (text) => {
      output.err += `${text}\n`;
    },
    signal: new AbortController().signal,
  });
  return toResult(args, { code, stdout: output.out, stderr: output.err });
}

/** Runs the command line in a new process, like `npm run --silent causeway --`. */
export function spawnCli(env: Record<string, string>, args: string[]): Promise<CliResult> {
  const command = ['scripts/launch.mjs', 'src/cli.ts', ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { cwd: projectRoot, env: createEnv(env) },
      (error, stdout, stderr) => {
        resolve(toResult(args, { code: error === null ? 0 : Number(error.code), stdout, stderr }));
      },
    );
  });
}

function toResult(args: string[], response: Omit<CliResult, 'json'>): CliResult {
  return { ...response, json: args.includes('--json') ? JSON.parse(response.stdout) : undefined };
}

/** Runs a command with --json, which must succeed; returns its output. */
export async function callCli(env: Record<string, string>, ...args: string[]): Promise<Json> {
  const { code, stdout, stderr, json } = await runCli(env, [...args, '--json']);
  if (code !== 0) throw new Error(`causeway ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return json;
}
