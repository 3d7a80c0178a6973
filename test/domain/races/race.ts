import { expect } from 'vitest';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';

/** The number of races of each pair; in the long run 100, or `RACE_ROUNDS`. */
const rounds = count(2, Number(process.env.RACE_ROUNDS ?? 100));

/** The timeout of a test that races one pair. */
export const timeout = count(90_000, 3_600_000);

/** Concurrent races, each on two connections. */
const concurrentRaces = 5;
/** The number of races whose outcomes are checked together. */
const batchSize = 50;

/** The event type of the change that an operation reports, if any. */
type ReportedEvent = string | undefined;

/** A finished race with the reports of both operations. */
type FinishedRace<Subject> = { subject: Subject; reports: ReportedEvent[] };

export type Scene<Subject extends { id: string }, Name extends string> = {
  /** Creates new subjects for a pair of operations. */
  create: (total: number, pair: readonly Name[]) => Promise<Subject[]>;
  /** Each changes the subject in its own transaction. */
  operations: Record<Name, (subject: Subject) => Promise<ReportedEvent>>;
  /** The error codes that the losing operation may return. */
  errorCodes: readonly string[];
  /** The state after each event type. */
  states: Record<string, string>;
  /** The allowed next states of each state. */
  transitions: Record<string, readonly string[]>;
  readStatuses: (ids: string[]) => Promise<{ id: string; status: string; version: number }[]>;
};

/** Pairs each operation with each other and with itself. */
export function listPairs<Name extends string>(names: readonly Name[]): [Name, Name][] {
  return names.flatMap((first, i) => names.slice(i).map((other): [Name, Name] => [first, other]));
}

/**
 * Runs both operations concurrently on many subjects, starting either of them first in turn. Checks that each operation
 * is done or rejected, that each change has one event, and that the events follow the transition table.
 */
export async function race<Subject extends { id: string }, Name extends string>(
  service: Service,
  scene: Scene<Subject, Name>,
  pair: readonly [Name, Name],
): Promise<void> {
  const finished: FinishedRace<Subject>[] = [];
  let started = 0;
  while (started < rounds) {
    // One batch after the other, because a job processes everything that is due.
    const subjects = await scene.create(Math.min(concurrentRaces, rounds - started), pair);
    const races = subjects.map(async (subject) => {
      const order = started++ % 2 === 0 ? pair : pair.toReversed();
      return { subject, reports: await Promise.all(order.map((name) => runOperation(scene, name, subject))) };
    });
    finished.push(...(await Promise.all(races)));
    if (finished.length >= batchSize || started === rounds)
      await expectLegalHistory(service, scene, finished.splice(0));
  }
}

async function runOperation<Subject extends { id: string }, Name extends string>(
  { operations, errorCodes }: Scene<Subject, Name>,
  name: Name,
  subject: Subject,
): Promise<ReportedEvent> {
  try {
    return await operations[name](subject);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined || !errorCodes.includes(code)) throw error;
    return undefined;
  }
}

async function expectLegalHistory<Subject extends { id: string }, Name extends string>(
  { prisma }: Service,
  { states, transitions, readStatuses }: Scene<Subject, Name>,
  finished: FinishedRace<Subject>[],
): Promise<void> {
  const ids = finished.map(({ subject }) => subject.id);
  const events = await prisma.event.findMany({
    where: { objectId: { in: ids } },
    orderBy: { objectVersion: 'asc' },
  });
  const rows = new Map((await readStatuses(ids)).map((row) => [row.id, row]));
  const eventsByObject = Map.groupBy(events, ({ objectId }) => objectId);
  for (const { subject, reports } of finished) {
    const { id } = subject;
    const subjectEvents = eventsByObject.get(id) ?? [];
    const types = subjectEvents.map(({ type }) => type);
    const [first = '', ...path] = types.flatMap((type) => states[type] ?? []);
    let current = first;
    for (const state of path) {
      expect([...(transitions[current] ?? []), current], types.join(', ')).toContain(state);
      current = state;
    }
    expect(rows.get(id)?.status, types.join(', ')).toBe(current);
    const reported = reports.filter((type) => type !== undefined);
    for (const type of reported) {
      const eventCount = types.filter((other) => other === type).length;
      expect(eventCount, `${type} in ${types.join(', ')}`).toBe(
        reported.filter((other) => other === type).length,
      );
    }
  }
}
