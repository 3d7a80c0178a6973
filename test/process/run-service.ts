import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Mode } from '../../prisma/client/client.ts';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { createLineScanner } from '../setup/logged-secrets.ts';
import { npmStartArguments } from './npm-start.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export type ServiceProcess = {
  child: ChildProcess;
  /** The standard output so far; `logged` is the log on standard error. */
  output(): string;
  logged(): string;
  /** Resolves when the service is ready; rejects with its output if it ends before. */
  ready(): Promise<{ url: string }>;
  /** Resolves at the end with the exit code, which is null after a signal. */
  ended: Promise<number | null>;
  /** Sends the signal to the process, or to its group like a terminal; returns the exit code. */
  end(signal: NodeJS.Signals, to?: 'process' | 'group'): Promise<number | null>;
};

/** Only the variables that programs need, without others of the test run. */
export function createEnv(variables: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...variables };
}

/** The command of `npm start`. */
export const startCommand = [process.execPath, ...npmStartArguments];

/** Starts the service in its own process group, on a free port by default. */
export function runService(
  env: Record<string, string>,
  command = startCommand,
  cwd = projectRoot,
): ServiceProcess {
  const child = spawn(command[0]!, command.slice(1), {
    cwd,
    // A process with a role needs the public URL of the others.
    env: createEnv({ PORT: '0', ...(env.ROLE && { PUBLIC_URL: 'http://127.0.0.1:0' }), ...env }),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  let output = '';
  let logged = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const read = createLineScanner();
  child.stderr.on('data', (chunk) => {
    logged += chunk;
    read(chunk);
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);

  async function ready(): Promise<{ url: string }> {
    for (;;) {
      const match = /Causeway is ready after [\d.]+ s: (.*)/.exec(output);
      if (match) return { url: match[1]!.startsWith('http') ? match[1]! : '' };
      const outcome = await Promise.race([once(child.stdout, 'data'), ended]);
      if (!Array.isArray(outcome)) throw new Error(`It ended with ${outcome}:\n${output}\n${logged}`);
    }
  }

  function end(signal: NodeJS.Signals, to: 'process' | 'group' = 'process'): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(to === 'group' ? -child.pid! : child.pid!, signal);
    }
    return ended;
  }

  return { child, output: () => output, logged: () => logged, ready, ended, end };
}

export function runServiceForTest(
  onCleanup: OnCleanup,
  env: Record<string, string>,
  command?: string[],
): ServiceProcess {
  const service = runService(env, command);
  onCleanup(async () => void (await service.end('SIGKILL', 'group')));
  return service;
}

/** Parses the keys of the demo merchant from the output. */
export function parsePrintedKeys(output: string, mode: Mode): ModeKeys {
  const ofMode = mode === 'live' ? 'live' : 'test';
  const findKey = (kind: string) => new RegExp(`${kind}_${ofMode}_\\S{43}`).exec(output)![0];
  return { apiKey: findKey('ck'), apiSecret: findKey('cs'), publishableKey: findKey('pk') };
}
