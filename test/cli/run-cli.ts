import { execFile } from 'node:child_process';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { plainEnv, projectRoot } from '../process/run-service.ts';
import type { Json } from '../setup/graphql.ts';

export type CliAnswer = {
  code: number;
  stdout: string;
  stderr: string;
  /** The answer to a call with --json. */
  json: Json;
};

/** Runs the command line in this process. */
export async function runCli(env: Record<string, string>, args: string[]): Promise<CliAnswer> {
  const said = { out: '', err: '' };
  const code = await runCommandLine(args, {
    env: plainEnv(env),
    out: (text) => {
      said.out += `${text}\n`;
    },
    err: (text) => {
      said.err += `${text}\n`;
    },
    signal: new AbortController().signal,
  });
  return toAnswer(args, { code, stdout: said.out, stderr: said.err });
}

/** Runs it as `npm run --silent causeway --` does, in a process of its own. */
export function spawnCli(env: Record<string, string>, args: string[]): Promise<CliAnswer> {
  const command = ['scripts/launch.mjs', 'src/cli.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: projectRoot, env: plainEnv(env) }, (error, stdout, stderr) => {
      resolve(toAnswer(args, { code: error === null ? 0 : Number(error.code), stdout, stderr }));
    });
  });
}

function toAnswer(args: string[], answer: Omit<CliAnswer, 'json'>): CliAnswer {
  return { ...answer, json: args.includes('--json') ? JSON.parse(answer.stdout) : undefined };
}

/** A call with --json that succeeds; gives its answer. */
export async function askCli(env: Record<string, string>, ...args: string[]): Promise<Json> {
  const { code, stdout, stderr, json } = await runCli(env, [...args, '--json']);
  if (code !== 0) throw new Error(`causeway ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return json;
}
