import { parseArgs } from 'node:util';
import { type Command, type CommandAnswer, type CommandCall, UsageError } from './cli/command.ts';
import { commands } from './cli/commands.ts';
import { ConfigError, readConfig } from './kit/config.ts';
import { DomainError } from './kit/errors.ts';

/** 1: the command failed, or found what it looks for. 2: the call cannot be understood. 130: Ctrl-C. */
const exits = { ok: 0, failed: 1, usage: 2, interrupted: 130 };

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());

// At once: the schema engine leaves a timer of 10 s behind.
process.exit(await main(process.argv.slice(2)));

async function main(args: string[]): Promise<number> {
  const asJson = args.includes('--json');
  if (args.length === 0 || args[0] === 'help' || args[0] === '--help') {
    console.log(allUsages());
    return exits.ok;
  }
  const command = commands.find(({ words }) => words.every((word, i) => args[i] === word));
  try {
    if (!command)
      throw new UsageError(`There is no command ${args.filter((arg) => arg !== '--json').join(' ')}`);
    const call = parseCall(command, args.slice(command.words.length));
    const answer = await run(command, call);
    console.log(asJson ? JSON.stringify(answer.json, null, 2) : answer.text);
    return answer.failed ? exits.failed : exits.ok;
  } catch (error) {
    if (interruption.signal.aborted) return exits.interrupted;
    report(error as Error, { asJson, usage: command ? usageOf(command) : allUsages() });
    return error instanceof UsageError ? exits.usage : exits.failed;
  }
}

async function run(
  { load }: Command,
  parsed: Pick<CommandCall, 'positionals' | 'options'>,
): Promise<CommandAnswer> {
  const config = readConfig(process.env);
  const command = await load();
  const { withDatabase, withService } = await import('./cli/with-service.ts');
  const call = { ...parsed, config, say: (line: string) => console.error(`· ${line}`) };
  const { signal } = interruption;
  return 'runOn' in command
    ? withDatabase(config, { signal, alone: command.alone }, (database) => command.runOn(database, call))
    : withService(config, { signal }, (service) => command.run(service, call));
}

function parseCall(command: Command, args: string[]): Pick<CommandCall, 'positionals' | 'options'> {
  const { values, positionals } = parseOptions(command, args);
  const expected = command.positionals ?? [];
  const missing = expected.slice(positionals.length);
  if (missing.length > 0) throw new UsageError(`${missing.join(' ')} is missing`);
  const isOpenEnded = expected.at(-1)?.endsWith('…') === true;
  if (positionals.length > expected.length && !isOpenEnded)
    throw new UsageError(`${positionals.at(-1)} is too much`);
  const options = values as CommandCall['options'];
  const required = (command.required ?? []).find((name) => options[name] === undefined);
  if (required) throw new UsageError(`--${required} is missing`);
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

/** With --json every failure is JSON on standard output, as every answer is. */
function report(error: Error, { asJson, usage }: { asJson: boolean; usage: string }): void {
  const code = codeOf(error);
  if (asJson) {
    const faults = error instanceof DomainError && error.faults.length > 0 ? { errors: error.faults } : {};
    console.log(JSON.stringify({ error: { code, message: error.message, ...faults } }, null, 2));
    return;
  }
  const isBug = process.env.LOG_LEVEL === 'debug' && error.stack !== undefined;
  console.error(
    isBug ? error.stack : error instanceof DomainError ? `${error.message} (${code})` : error.message,
  );
  if (error instanceof UsageError) console.error(`\n${usage}`);
}

/** A code of docs/errors.md, or one of the command line's own. */
function codeOf(error: Error): string {
  if (error instanceof DomainError) return error.code;
  if (error instanceof UsageError) return 'usage';
  return error instanceof ConfigError ? 'configuration' : 'failed';
}

function usageOf({ words, usage, summary }: Command): string {
  return `  ${`${words.join(' ')} ${usage}`.trim()}\n      ${summary}`;
}

function allUsages(): string {
  return `npm run --silent causeway -- <command>, each with --json\n\n${commands.map(usageOf).join('\n')}`;
}
