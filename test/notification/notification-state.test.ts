import { describe, expect, test } from 'vitest';
import {
  attemptsMax,
  getNextState,
  parseRetryAfter,
  retryWaitsMs,
} from '../../src/notification/notification-state.ts';
import { noon } from '../setup/seed.ts';

const answered = (status: number) => ({ status, error: null, retryAfterMs: null });
const noAnswer = { status: null, error: 'the connection was refused', retryAfterMs: null };

/** Follows one delivery by the table with a clock of its own; the receiver always fails. */
function failUntilTheEnd(random: number) {
  const waits: number[] = [];
  let now = noon;
  for (let attemptCount = 1; ; attemptCount++) {
    const next = getNextState(noAnswer, { kind: 'webhook', attemptCount, now, random });
    if (next.status !== 'pending') return { attemptCount, next, waits, now };
    waits.push(next.nextAttemptAt.getTime() - now.getTime());
    now = next.nextAttemptAt;
  }
}

describe('a delivery that always fails', () => {
  test('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and then failed', () => {
    const s = 1_000;
    const h = 3_600 * s;
    const { attemptCount, next, waits, now } = failUntilTheEnd(0.5);
    expect(waits).toEqual([5 * s, 300 * s, 1_800 * s, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]);
    expect(attemptCount).toBe(10);
    expect(attemptsMax).toBe(10);
    expect(next).toEqual({ status: 'failed', disablesWebhook: false });
    expect((now.getTime() - noon.getTime()) / h).toBeCloseTo(75.6, 1);
  });

  test('waits at most a fifth shorter or longer than the table', () => {
    expect(failUntilTheEnd(0).waits).toEqual(retryWaitsMs.map((wait) => wait * 0.8));
    expect(failUntilTheEnd(1).waits).toEqual(retryWaitsMs.map((wait) => wait * 1.2));
  });

  test('that was sent again by hand after its last attempt is failed by one more', () => {
    const options = { kind: 'webhook', attemptCount: 11, now: noon, random: 0.5 } as const;
    expect(getNextState(noAnswer, options).status).toBe('failed');
  });
});

describe('an attempt', () => {
  const first = { kind: 'webhook', attemptCount: 1, now: noon, random: 0.5 } as const;

  test.each([200, 201, 202, 204, 299])('answered %i has delivered', (status) => {
    expect(getNextState(answered(status), first)).toEqual({ status: 'delivered', disablesWebhook: false });
  });

  test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503])(
    'answered %i has failed',
    (status) => {
      expect(getNextState(answered(status), first)).toEqual({
        status: 'pending',
        nextAttemptAt: new Date(noon.getTime() + 5_000),
        disablesWebhook: false,
      });
    },
  );

  test('whose answer broke off has failed, whatever its status', () => {
    const outcome = { status: 200, error: 'timed out', retryAfterMs: null };
    expect(getNextState(outcome, first).status).toBe('pending');
  });

  test('answered 2xx at the tenth try has delivered', () => {
    expect(getNextState(answered(200), { ...first, attemptCount: 10 }).status).toBe('delivered');
  });

  test('answered 410 ends the delivery, and switches a webhook off, but no callback', () => {
    expect(getNextState(answered(410), first)).toEqual({ status: 'failed', disablesWebhook: true });
    expect(getNextState(answered(410), { ...first, kind: 'callback' })).toEqual({
      status: 'failed',
      disablesWebhook: false,
    });
  });

  test.each([
    ['longer than the table', 60_000, 60_000],
    ['shorter than the table', 1_000, 5_000],
    ['of a year, which counts for the length of the whole schedule', 365 * 86_400_000, 272_105_000],
  ])('with a Retry-After %s', (_, retryAfterMs, waitMs) => {
    const next = getNextState({ status: 503, error: null, retryAfterMs }, first);
    expect(next).toMatchObject({ nextAttemptAt: new Date(noon.getTime() + waitMs) });
  });
});

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Tue, 17 Nov 2026 12:01:00 GMT', 60_000],
    ['Tue, 17 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['99999999999', null],
    ['', null],
    [undefined, null],
  ])('%s', (header, expected) => {
    expect(parseRetryAfter(header, noon)).toBe(expected);
  });
});
