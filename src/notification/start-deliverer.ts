import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Certificate } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { Tracer } from '../kit/tracer.ts';
import { attemptNotification, returnClaim } from './attempt-notification.ts';
import { requestBuilder } from './build-request.ts';
import {
  claimNotifications,
  findDueQueues,
  type NotificationClaim,
  releaseWebhooks,
} from './claim-notifications.ts';
import type { AlertDraft } from './endpoint-health.ts';
import { createPoster } from './post.ts';
import { createRecorder } from './record-attempts.ts';
import { signingCertificates } from './signing-certificates.ts';
import { createSlots, turnMs } from './slots.ts';

/** Well above the 15 s that an attempt may take, so that only the claim of a killed process runs out. */
const leaseMs = 30_000;
/** A claim costs the database much the same for one notification as for a hundred: they begin so far apart at least, */
const spacingMs = 5;
/** and how often to look again while deliveries are running. */
const pollMs = 1_000;

/** What deliveries need of the service. */
export type DeliveryService = Db & { secrets: Secrets; settings: { allowPrivateTargets: boolean } };

export type DelivererOptions = {
  /** The real time: test clocks never move notifications. */
  clock: Clock;
  /** How many deliveries run side by side (512), and how many of them of one queue (10). */
  concurrency?: number;
  queueConcurrency?: number;
  /** How long one attempt may take (15 s). */
  timeoutMs?: number;
  tracer?: Tracer | undefined;
  /** Gets our own errors: the database is away, a secret cannot be decrypted. */
  onError: (error: Error) => void;
  /** Gets the alerts to merchants, for the operator's log. */
  onAlert?: ((alert: AlertDraft) => void) | undefined;
};

export type Deliverer = {
  /**
   * Delivers what is due. Resolves when nothing is due and nothing runs any more, or the database failed. A call while
   * it runs makes it look again at once, and resolves with it. Never rejects.
   */
  deliver(): Promise<void>;
  /** Claims no more, and waits for what runs. */
  stop(): Promise<void>;
};

/** One is enough for a process: its limits hold for all it delivers. Any number of processes share the work. */
export function startDeliverer(service: DeliveryService, options: DelivererOptions): Deliverer {
  const waker = createWaker();
  const runner = createRunner(service, options, waker.wake);
  let run: Promise<void> | undefined;
  let stopped = false;

  const work = async (): Promise<void> => {
    try {
      while (!stopped) {
        waker.listen();
        const started = performance.now();
        const { claimed, rateFreesInMs } = await runner.claimDue();
        // Claims take half of the time at most.
        const pause = delay(Math.max(spacingMs, performance.now() - started));
        if (claimed === 0) {
          if (runner.isIdle() && rateFreesInMs === null && !waker.isWoken()) break;
          await waker.rest(Math.min(pollMs, rateFreesInMs ?? pollMs));
        }
        await pause;
      }
    } catch (error) {
      options.onError(error as Error);
    } finally {
      // In the same turn as the last look: a call from now on starts again.
      run = undefined;
    }
  };

  return {
    deliver() {
      waker.wake();
      run ??= work();
      return run;
    },
    async stop() {
      stopped = true;
      waker.wake();
      await run;
      await runner.stop();
    },
  };
}

/** Claims as much as there are slots for, and runs it. */
function createRunner(service: DeliveryService, options: DelivererOptions, onFree: () => void) {
  const { clock, tracer, onError, onAlert = () => {} } = options;
  const { concurrency: total = 512, queueConcurrency: perQueue = 10 } = options;
  const poster = createPoster({ ...service.settings, ...options });
  const tools = { poster, buildRequest: requestBuilder(service.secrets), clock, tracer, onError };
  const record = createRecorder(service, onAlert);
  const slots = createSlots({ total, perQueue });
  const running = new Set<Promise<void>>();
  const holder = randomUUID();
  let stopped = false;

  const deliverOne = async (
    claim: NotificationClaim,
    certificate: Certificate | undefined,
  ): Promise<void> => {
    const slot = slots.take(claim.queueKey);
    await slot.begin();
    const waitedMs = clock.now().getTime() + leaseMs - claim.leasedUntil.getTime();
    const attempt =
      stopped || waitedMs > turnMs
        ? returnClaim(claim, clock.now())
        : await attemptNotification(tools, claim, certificate);
    slot.end(attempt.next.status === 'delivered');
    await record(attempt).catch(onError);
    slot.release();
    onFree();
  };

  return {
    isIdle: () => running.size === 0,
    async claimDue(): Promise<{ claimed: number; rateFreesInMs: number | null }> {
      if (slots.inUse() >= total) return { claimed: 0, rateFreesInMs: null };
      const now = clock.now();
      const until = new Date(now.getTime() + leaseMs);
      const { slots: granted, rateFreesInMs } = slots.grant(
        await findDueQueues(service, { now, until, holder }),
      );
      const claims = await claimNotifications(service, { now, until, slots: granted });
      const callbacks = claims.filter(({ kind }) => kind === 'callback');
      const merchantIds = new Set(callbacks.map(({ merchantId }) => merchantId));
      const certificateOf = await signingCertificates(service.prisma, [...merchantIds], now);
      for (const claim of claims) {
        const ended = deliverOne(claim, certificateOf(claim)).finally(() => running.delete(ended));
        running.add(ended);
      }
      return { claimed: claims.length, rateFreesInMs };
    },
    async stop(): Promise<void> {
      stopped = true;
      while (running.size > 0) await Promise.all(running);
      poster.close();
      await releaseWebhooks(service, holder).catch(onError);
    },
  };
}

/** Lets the loop rest until it is woken; a wake that comes while it works is not lost. */
function createWaker() {
  let woken = false;
  let endRest = () => {};
  return {
    wake() {
      woken = true;
      endRest();
    },
    isWoken: () => woken,
    listen() {
      woken = false;
    },
    async rest(maxMs: number): Promise<void> {
      if (woken) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, maxMs);
      endRest = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
