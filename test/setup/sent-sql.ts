import pg from 'pg';
import { onTestFinished } from 'vitest';

/** What PostgreSQL is sent, as the driver is given it. */
export type Sent = { text: string; values: unknown[] };

/** What the driver's `query` is called with. */
export function statementOf([config = {}, values = []]: unknown[]): Sent {
  if (typeof config === 'string') return { text: config, values: values as unknown[] };
  const { text = '', values: own } = config as Partial<Sent>;
  return { text, values: own ?? (values as unknown[]) };
}

/**
 * Does the work and tells the statements that this process sends meanwhile, the work too as they are sent; nothing else
 * may run in it.
 */
export async function spying<T>(
  work: (sent: readonly Sent[]) => Promise<T>,
): Promise<{ result: T; sent: Sent[] }> {
  const { query } = pg.Client.prototype;
  const sent: Sent[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    sent.push(statementOf(args));
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    return { result: await work(sent), sent };
  } finally {
    pg.Client.prototype.query = query;
  }
}

/** Does `act` before the first statement that is meant is sent, in the test that runs. */
export function beforeStatement(
  isMeant: (sent: Sent) => boolean,
  act: (sent: Sent) => Promise<unknown>,
): void {
  const { query } = pg.Client.prototype;
  onTestFinished(() => void Object.assign(pg.Client.prototype, { query }));
  let hasActed = false;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const send = () => Reflect.apply(query, this, args);
    const sent = statementOf(args);
    if (hasActed || !isMeant(sent)) return send();
    hasActed = true;
    return act(sent).then(send);
  } as typeof query;
}
