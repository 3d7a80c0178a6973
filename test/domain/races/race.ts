import { expect } from 'vitest';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';

/** How often each pair is raced: in the long run a thousand times, or RACE_ROUNDS. */
const rounds = count(2, Number(process.env.RACE_ROUNDS ?? 1_000));

/** Of each race; the long run is given its time. */
export const timeout = count(90_000, 3_600_000);

/** Races that run at one time, each on two connections of its own. */
const sideBySide = 5;
/** What came of races is looked at for so many at once. */
const lookedAt = 50;

/** What an operation says of a race it was in: the message of the change that it made; undefined where it made none. */
type Told = string | undefined;

/** A race that is over, and what each of the two says of it. */
type Raced<Subject> = { subject: Subject; told: Told[] };

export type Scene<Subject extends { id: string }> = {
  /** As many of their own as asked for, for these operations. */
  make: (many: number, pair: readonly string[]) => Promise<Subject[]>;
  /** Each does one thing to the subject, in a transaction of its own. */
  operations: Record<string, (subject: Subject) => Promise<Told>>;
  /** The refusals that losing may lead to. */
  refusals: readonly string[];
  /** By message, the state that it tells of. */
  states: Record<string, string>;
  /** Where a state may lead. */
  transitions: Record<string, readonly string[]>;
  statusOf: (ids: string[]) => Promise<{ id: string; status: string; version: number }[]>;
};

/** Each with each other, and with itself. */
export function pairsOf(operations: object): [string, string][] {
  const names = Object.keys(operations);
  return names.flatMap((one, i) => names.slice(i).map((other): [string, string] => [one, other]));
}

/**
 * Runs the two at once on as many subjects, either of them begun first in turn, and holds each outcome to the table of
 * states: each operation is done or refused, each change has one event, and the events are a way through the table.
 */
export async function race<Subject extends { id: string }>(
  service: Service,
  scene: Scene<Subject>,
  pair: [string, string],
): Promise<void> {
  const raced: Raced<Subject>[] = [];
  let begun = 0;
  while (begun < rounds) {
    // Not before the others are over: a sweep takes all that is due.
    const subjects = await scene.make(Math.min(sideBySide, rounds - begun), pair);
    const races = subjects.map(async (subject) => {
      const order = begun++ % 2 === 0 ? pair : pair.toReversed();
      return { subject, told: await Promise.all(order.map((name) => outcomeOf(scene, name, subject))) };
    });
    raced.push(...(await Promise.all(races)));
    if (raced.length >= lookedAt || begun === rounds) await expectLegal(service, scene, raced.splice(0));
  }
}

async function outcomeOf<Subject extends { id: string }>(
  { operations, refusals }: Scene<Subject>,
  name: string,
  subject: Subject,
): Promise<Told> {
  try {
    return await operations[name]!(subject);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined || !refusals.includes(code)) throw error;
    return undefined;
  }
}

async function expectLegal<Subject extends { id: string }>(
  { prisma }: Service,
  { states, transitions, statusOf }: Scene<Subject>,
  raced: Raced<Subject>[],
): Promise<void> {
  const ids = raced.map(({ subject }) => subject.id);
  const events = await prisma.event.findMany({
    where: { objectId: { in: ids } },
    orderBy: { objectVersion: 'asc' },
  });
  const rows = new Map((await statusOf(ids)).map((row) => [row.id, row]));
  const eventsOf = Map.groupBy(events, ({ objectId }) => objectId);
  for (const { subject, told } of raced) {
    const { id } = subject;
    const own = eventsOf.get(id) ?? [];
    const messages = own.map(({ type: message }) => message);
    const [first = '', ...way] = messages.flatMap((message) => states[message] ?? []);
    let at = first;
    for (const state of way) {
      expect([...(transitions[at] ?? []), at], messages.join(', ')).toContain(state);
      at = state;
    }
    expect(rows.get(id)?.status, messages.join(', ')).toBe(at);
    const claimed = told.filter((message) => message !== undefined);
    for (const message of claimed) {
      const times = messages.filter((other) => other === message).length;
      expect(times, `${message} in ${messages.join(', ')}`).toBe(
        claimed.filter((other) => other === message).length,
      );
    }
  }
}
