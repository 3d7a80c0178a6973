import { execFile } from 'node:child_process';
import { plainEnv, projectRoot } from '../process/run-service.ts';
import type { Json } from '../setup/graphql.ts';

export type CliAnswer = {
  code: number;
  stdout: string;
  stderr: string;
  /** The answer to a call with --json. */
  json: Json;
};

/** Runs the command line as `npm run --silent causeway --` does. */
export function runCli(env: Record<string, string>, args: string[]): Promise<CliAnswer> {
  const command = ['scripts/launch.mjs', 'src/cli.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: projectRoot, env: plainEnv(env) }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr, json: args.includes('--json') ? JSON.parse(stdout) : undefined });
    });
  });
}

/** A call with --json that succeeds; gives its answer. */
export async function askCli(env: Record<string, string>, ...args: string[]): Promise<Json> {
  const { code, stdout, stderr, json } = await runCli(env, [...args, '--json']);
  if (code !== 0) throw new Error(`causeway ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return json;
}
