import pg from 'pg';
import type { OnCleanup } from './cleanup.ts';

export type SentStatement = { text: string; values: unknown[] };

/** `applicationName` is the purpose of the connection (src/kit/application-names.ts). */
type RecordedSentStatement = SentStatement & { applicationName: string };

/** Normalizes the arguments of the driver’s `query`. */
export function toStatement([config = {}, values = []]: unknown[]): SentStatement {
  if (typeof config === 'string') return { text: config, values: values as unknown[] };
  const { text = '', values: ownValues } = config as Partial<SentStatement>;
  return { text, values: ownValues ?? (values as unknown[]) };
}

/**
 * Runs `work` and returns its result with the statements that this process sent. `work` can read them as they
 * are sent.
 */
export async function recordStatements<T>(
  work: (statements: readonly SentStatement[]) => Promise<T>,
): Promise<{ result: T; sent: RecordedSentStatement[] }> {
  const { query } = pg.Client.prototype;
  const statements: RecordedSentStatement[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { connectionParameters } = this as unknown as { connectionParameters: pg.ClientConfig };
    const applicationName = connectionParameters.application_name ?? '';
    statements.push({ ...toStatement(args), applicationName });
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    return { result: await work(statements), sent: statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}

/** Runs `action` just before the first matching statement is sent. */
export function beforeStatement(
  onCleanup: OnCleanup,
  matches: (statement: SentStatement) => boolean,
  action: (statement: SentStatement) => Promise<unknown>,
): void {
  const { query } = pg.Client.prototype;
  onCleanup(() => void Object.assign(pg.Client.prototype, { query }));
  let hasActed = false;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const send = () => Reflect.apply(query, this, args);
    const statement = toStatement(args);
    if (hasActed || !matches(statement)) return send();
    hasActed = true;
    return action(statement).then(send);
  } as typeof query;
}
