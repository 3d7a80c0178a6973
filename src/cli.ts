import { parseArgs } from 'node:util';
import type { Command } from './cli/command.ts';
import { commands } from './cli/commands.ts';
import { withService } from './cli/with-service.ts';
import { ConfigError, readConfig } from './kit/config.ts';
import { DomainError } from './kit/errors.ts';

/** A call that cannot be understood. */
const usageExit = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const command = commands.find(({ words }) => words.every((word, i) => args[i] === word));
  if (!command) return usage(args);
  const call = parseCall(command, args.slice(command.words.length));
  if (typeof call === 'string') {
    console.error(`${call}\n\n  causeway ${command.words.join(' ')} ${command.usage}`);
    return usageExit;
  }
  try {
    const config = readConfig(process.env);
    const answer = await withService(config, (service) =>
      command.run(service, { ...call, config, say: (line) => console.error(`· ${line}`) }),
    );
    console.log(call.options.json ? JSON.stringify(answer.json, null, 2) : answer.text);
    return answer.failed ? 1 : 0;
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof ConfigError || error instanceof Error))
      throw error;
    report(error, call.options.json === true);
    return 1;
  }
}

type Call = { positionals: string[]; options: Record<string, string | boolean | undefined> };

function parseCall(command: Command, args: string[]): Call | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, ...command.options },
    });
    const missing = command.positionals.slice(positionals.length);
    if (missing.length > 0) return `${missing.join(' ')} is missing`;
    if (positionals.length > command.positionals.length) return `${positionals.at(-1)} is too much`;
    const given = values as Call['options'];
    const required = (command.required ?? []).find((name) => given[name] === undefined);
    if (required) return `--${required} is missing`;
    return { positionals, options: given };
  } catch (error) {
    return (error as Error).message;
  }
}

function report(error: Error, asJson: boolean): void {
  const code = error instanceof DomainError ? error.code : undefined;
  if (asJson)
    console.log(JSON.stringify({ error: { ...(code && { code }), message: error.message } }, null, 2));
  else console.error(code ? `${error.message} (${code})` : error.message);
}

function usage(args: string[]): number {
  const isHelp = args.length === 0 || args[0] === 'help' || args[0] === '--help';
  const lines = commands.map(
    ({ words, usage: rest, summary }) => `  ${`${words.join(' ')} ${rest}`.trim()}\n      ${summary}`,
  );
  const text = `npm run --silent causeway -- <command>, each with --json\n\n${lines.join('\n')}`;
  if (isHelp) console.log(text);
  else console.error(`There is no command ${args.join(' ')}\n\n${text}`);
  return isHelp ? 0 : usageExit;
}
