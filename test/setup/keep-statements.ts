import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import { PrismaClient } from '../../prisma/client/client.ts';
import { statementOf } from './sent-sql.ts';

/**
 * With STATEMENTS=<an empty folder>, every statement that the service sends while tests run is written down there, once
 * for each process, for test/sent-statements.test.ts.
 */

/** A statement with the values of its first time, and the file that sent it; none where that is not known. */
export type KeptStatement = { text: string; values: unknown[]; sender?: string | undefined };

const folder = process.env.STATEMENTS as string;
const root = join(import.meta.dirname, '../..');

/** What Prisma keeps of the call that led to a statement; not of one in SQL. */
type Request = { callsite?: { _error?: Error } };
const rawCalls = ['$queryRaw', '$queryRawUnsafe', '$executeRaw', '$executeRawUnsafe'] as const;
type RawCall = (...args: unknown[]) => PromiseLike<unknown>;
type Requests = Record<(typeof rawCalls)[number], RawCall> & {
  _request: (request: Request) => Promise<unknown>;
};

const calls = new AsyncLocalStorage<string | undefined>();

/** Runs once a process: test files share them. */
if (!('statementsAreKept' in globalThis)) {
  Object.assign(globalThis, { statementsAreKept: true });
  Error.stackTraceLimit = 100;
  rememberCalls(PrismaClient.prototype as unknown as Requests);
  keepStatements(folder);
}

/** Statements are sent a while after they were asked for: the asking goes along, to be told by the stack it was made with. */
function rememberCalls(requests: Requests): void {
  const { _request: send } = requests;
  requests._request = function (this: unknown, request) {
    const stack = calls.getStore() ?? request.callsite?._error?.stack;
    return calls.run(stack, () => send.call(this as Requests, request));
  };
  for (const name of rawCalls) {
    const call = requests[name];
    requests[name] = function (this: unknown, ...args) {
      const { stack } = new Error();
      const promise = call.apply(this, args);
      const asked = promise.then.bind(promise);
      return Object.assign(promise, {
        // biome-ignore lint/suspicious/noThenProperty: Prisma sends once it is asked for the answer.
        then: (...handlers: Parameters<typeof asked>) => calls.run(stack, () => asked(...handlers)),
      });
    };
  }
}

function keepStatements(to: string): void {
  const kept = new Set<string>();
  const file = join(to, `${process.pid}.jsonl`);
  const { query: queryPool } = pg.Pool.prototype;
  pg.Pool.prototype.query = function (this: pg.Pool, ...args: unknown[]) {
    return calls.run(new Error().stack, () => Reflect.apply(queryPool, this, args));
  } as typeof queryPool;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text, values } = statementOf(args);
    const sender = kept.has(text) ? undefined : senderIn(`${calls.getStore() ?? ''}\n${new Error().stack}`);
    if (!kept.has(text) && !sender?.startsWith('test')) {
      kept.add(text);
      appendFileSync(file, `${toJson({ text, values, sender })}\n`);
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
}

/** The nearest of our files in a stack, from the root. */
function senderIn(stack: string): string | undefined {
  const paths = [...stack.matchAll(/(?:file:\/\/|\(|at )(\/[^\s:()]+):\d+/g)].map(([, path]) =>
    relative(root, path!),
  );
  return paths.find((path) => /^(?:src|schema|test)\//.test(path) && !path.includes('keep-statements'));
}

const toJson = (kept: KeptStatement) =>
  JSON.stringify(kept, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
