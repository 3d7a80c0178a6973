import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PeriodUnit } from '../../../prisma/client/client.ts';
import {
  applyCancellation,
  applyFreeStart,
  applyPause,
  applyPayment,
  type BillingState,
  type BillingTerms,
  getNextAction,
  initialBillingState,
  isOverdue,
  type OpenInvoiceState,
} from '../../../src/domain/billing/subscription/billing-schedule.ts';
import { subscriptionTransitions } from '../../../src/domain/billing/subscription/subscription-state.ts';

/** The worked timelines, each with its title after `#` in its first line. */
export function readTimelines(): string[] {
  const text = readFileSync(join(import.meta.dirname, 'timelines.txt'), 'utf8');
  return text.split('\n\n').map((one) => one.trim());
}

/**
 * Reads a timeline: lines that begin with a date and `>` are what people do; the others are what the service answers. A
 * plan reads `plan 1 months; initial 14 days; of 3; notice 2; grace 1; free`, all but the first optional; `cheap` or
 * `dear` instead of `free`: the first payment is lower or higher than the others. People `enrol`, `pay` (having enrolled
 * where they have not), `repay` a charge of the first payment that they were asked for before, `open` the next invoice to
 * pay ahead and leave it, `cancel`, and `look`.
 */
export function readTimeline(text: string) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const plan = lines.find((line) => line.startsWith('plan '));
  if (!plan) throw new Error('a timeline needs a plan');
  const head = lines.filter((line) => line.startsWith('#') || line.startsWith('plan '));
  const acts = lines.flatMap((line) => {
    const [, date, action] = /^(\S+) > (\w+)$/.exec(line) ?? [];
    return date && action ? [{ at: readDate(date), action, line }] : [];
  });
  const price = (['free', 'cheap', 'dear'] as const).find((word) => plan.includes(`; ${word}`));
  return { head, terms: readTerms(plan), price, acts };
}

/** Plays a timeline on the rules alone. */
export function playTimeline(text: string): string {
  const { head, terms, price, acts } = readTimeline(text);
  const player = createPlayer(terms, price);
  for (const { at, action, line } of acts) player.act(at, action, line);
  return [...head, ...player.log].join('\n');
}

/** Of the first payment, where that is not the others'. */
export type FirstPrice = 'free' | 'cheap' | 'dear' | undefined;

function createPlayer(terms: BillingTerms, price: FirstPrice) {
  const log: string[] = [];
  let standing: BillingState = initialBillingState;
  let invoice: OpenInvoiceState | null = null;
  const tell = (at: Date, what: string) => log.push(`${writeDate(at)} ${what}`);

  const runUntil = (until: Date) => {
    for (;;) {
      const step = getNextAction(standing, terms, invoice);
      if (!step || step.at > until) return;
      if (step.kind === 'invoice') {
        invoice = { dueNotifiedAt: step.at, remindedAt: null };
        tell(step.at, `invoice due ${writeDate(standing.nextPayment!)}`);
      } else if (step.kind === 'remind') {
        invoice = { ...invoice!, remindedAt: step.at };
        tell(step.at, 'reminder');
      } else {
        standing = applyPause(standing);
        tell(step.at, 'paused');
      }
    }
  };

  const pay = (at: Date, isFirst: boolean) => {
    const payment = { at, isIntroductory: isFirst && price === 'cheap' };
    if (!applyPayment(standing, terms, payment)) return tell(at, 'surplus');
    if (isOverdue(standing, terms, at)) standing = applyPause(standing);
    const after = applyPayment(standing, terms, payment)!;
    standing = after;
    invoice = null;
    const until = `active until ${writeDate(standing.activeUntil!)}`;
    const next = standing.nextPayment ? '' : ', completed';
    return tell(at, `paid ${standing.numPaymentsComplete}: ${until}${next}`);
  };

  const act = (at: Date, action: string, line: string) => {
    runUntil(at);
    log.push(line);
    if (action === 'pay') pay(at, standing.activeUntil === null);
    else if (action === 'repay') pay(at, true);
    else if (action === 'open') invoice ??= { dueNotifiedAt: null, remindedAt: null };
    else if (action === 'cancel') {
      if (!subscriptionTransitions[standing.status].includes('cancelled'))
        return tell(at, 'refused: it has ended');
      standing = applyCancellation(standing);
      invoice = null;
      tell(at, 'cancelled');
    } else if (action === 'enrol') {
      if (price !== 'free') return;
      standing = applyFreeStart(terms, at);
      tell(at, `begun: active until ${writeDate(standing.activeUntil!)}`);
    } else if (action !== 'look') throw new Error(`no such action: ${action}`);
    runUntil(at);
  };
  return { log, act };
}

function readTerms(plan: string): BillingTerms {
  const interval = (word: string) => {
    const [, count, unit] = new RegExp(`${word} (\\d+) (days|months|years)`).exec(plan) ?? [];
    return unit ? { unit: unit as PeriodUnit, count: Number(count) } : undefined;
  };
  const number = (word: string) => {
    const [, digits] = new RegExp(`; ${word} (\\d+)`).exec(plan) ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  const recurring = interval('plan')!;
  return {
    recurring,
    initial: interval('initial') ?? recurring,
    numPayments: number('of') ?? null,
    invoiceNoticeDays: number('notice') ?? 2,
    graceDays: number('grace') ?? 1,
  };
}

/** `2026-01-31` is noon; another time of day follows as `T08:30`. */
function readDate(text: string): Date {
  return new Date(`${text.includes('T') ? text : `${text}T12:00`}:00.000Z`);
}

export function writeDate(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T12:00', '');
}
