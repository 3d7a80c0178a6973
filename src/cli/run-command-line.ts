import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { type Command, type CommandCall, type CommandResult, UsageError } from './command.ts';
import { commands } from './commands.ts';

/** The environment of a call. Results go to `out`, progress and errors to `err`; `signal` aborts on Ctrl-C. */
type Terminal = {
  env: NodeJS.ProcessEnv;
  out: (text: string) => void;
  err: (text: string) => void;
  signal: AbortSignal;
};

const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 };

/**
 * Runs one command. Returns the exit code: 1 if the command failed or found problems, 2 for invalid arguments, and 130
 * after Ctrl-C.
 */
export async function runCommandLine(args: string[], rawTerminal: Terminal): Promise<number> {
  const terminal: Terminal = {
    ...rawTerminal,
    out: (text) => rawTerminal.out(escapeControls(text)),
    err: (text) => rawTerminal.err(escapeControls(text)),
  };
  const asJson = args.includes('--json');
  const command = commands.find(({ words }) => words.every((word, i) => args[i] === word));
  try {
    if (isHelpRequested(args)) {
      terminal.out(formatUsages(findCommands(args)));
      return exitCodes.ok;
    }
    if (!command)
      throw new UsageError(`Unknown command: ${args.filter((arg) => arg !== '--json').join(' ')}`);
    const call = parseCall(command, args.slice(command.words.length));
    const result = await runCommand(command, call, terminal);
    terminal.out(asJson ? JSON.stringify(result.json, null, 2) : result.text);
    return result.failed ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    if (terminal.signal.aborted) return exitCodes.interrupted;
    const usage = command ? formatUsage(command) : formatUsages(findCommands(args));
    reportError(error as Error, { asJson, usage, terminal });
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

async function runCommand(
  { load, needsDatabase = false }: Command,
  parsed: Pick<CommandCall, 'positionals' | 'options'>,
  { env, err, signal }: Terminal,
): Promise<CommandResult> {
  const command = await load();
  const onProgress = (line: string) => err(`· ${line}`);
  if ('runOverApi' in command) return command.runOverApi({ ...parsed, env, signal, onProgress });
  const config = readConfig(env);
  const { requireDatabase, withDatabase, withService } = await import('./with-service.ts');
  if (needsDatabase) await requireDatabase(config);
  const call = { ...parsed, config, onProgress };
  return 'runOn' in command
    ? withDatabase(config, { signal, isExclusive: command.isExclusive }, (database) =>
        command.runOn({ connectionString: database.directConnectionString }, call),
      )
    : withService(config, { signal }, (service, connectionString) =>
        command.run(service, { ...call, connectionString }),
      );
}

function parseCall(command: Command, args: string[]): Pick<CommandCall, 'positionals' | 'options'> {
  const { values, positionals } = parseOptions(command, args);
  const positionalNames = command.positionals ?? [];
  const missingNames = positionalNames.slice(positionals.length);
  if (missingNames.length > 0) throw new UsageError(`${missingNames.join(' ')} is required`);
  const isOpenEnded = positionalNames.at(-1)?.endsWith('…') === true;
  if (positionals.length > positionalNames.length && !isOpenEnded)
    throw new UsageError(`Unexpected argument: ${positionals.at(-1)}`);
  const options = values as CommandCall['options'];
  const required = (command.required ?? []).find((name) => options[name] === undefined);
  if (required) throw new UsageError(`--${required} is required`);
  return { positionals, options };
}

function parseOptions(command: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, ...command.options },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** With --json, errors are JSON on standard output, like results. */
function reportError(
  error: Error,
  { asJson, usage, terminal }: { asJson: boolean; usage: string; terminal: Terminal },
): void {
  const code = getErrorCode(error);
  if (asJson) {
    const details =
      error instanceof DomainError && error.inputErrors.length > 0 ? { errors: error.inputErrors } : {};
    terminal.out(JSON.stringify({ error: { code, message: error.message, ...details } }, null, 2));
    return;
  }
  const stack = terminal.env.LOG_LEVEL === 'debug' ? error.stack : undefined;
  terminal.err(stack ?? (error instanceof DomainError ? `${error.message} (${code})` : error.message));
  if (error instanceof UsageError) terminal.err(`\n${usage}`);
}

/** Returns an error code of docs/reference/errors.md, or one that is specific to the command line. */
function getErrorCode(error: Error): string {
  if (error instanceof DomainError) return error.code;
  if (error instanceof UsageError) return 'usage';
  return error instanceof ConfigError ? 'configuration' : 'failed';
}

function formatUsage({ words, usage, summary }: Command): string {
  return `  ${`${words.join(' ')} ${usage}`.trim()}\n      ${summary}`;
}

function formatUsages(listedCommands: readonly Command[]): string {
  return `npm run --silent causeway -- <command> [--json]\n\n${listedCommands.map(formatUsage).join('\n')}`;
}

/** Returns true without arguments, for `help`, and with --help or -h. */
function isHelpRequested(args: string[]): boolean {
  return args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h');
}

/** Returns the commands that begin with the requested words, such as `merchant`, or all commands if none match. */
function findCommands(args: string[]): readonly Command[] {
  const requestedWords = (args[0] === 'help' ? args.slice(1) : args).filter((arg) => !arg.startsWith('-'));
  const matches = commands.filter(({ words }) =>
    words.every((word, i) => i >= requestedWords.length || word === requestedWords[i]),
  );
  return requestedWords.length === 0 || matches.length === 0 ? commands : matches;
}

/** Control characters (except line feed and tab) and bidirectional controls, which terminals interpret, not display. */
const controlCharacters = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Escapes text for a terminal, because it may contain customer names or other servers' errors. Uses JSON
 * escapes, so that JSON output stays valid.
 */
function escapeControls(text: string): string {
  return text.replace(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
