import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Certificate } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import { getLeaseEnd } from '../kit/lease.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { Tracer } from '../kit/tracer.ts';
import { attemptNotification } from './attempt-notification.ts';
import { createRequestBuilder } from './build-request.ts';
import {
  claimNotifications,
  findDueQueues,
  type NotificationClaim,
  releaseWebhooks,
} from './claim-notifications.ts';
import type { AlertDraft } from './endpoint-health.ts';
import { isDelivered } from './notification-state.ts';
import { createPoster } from './post.ts';
import { createRecorder } from './record-attempts.ts';
import { createSlots } from './slots.ts';

/**
 * How long claims are valid: well above the 15 s limit of an attempt, so that only those of killed processes
 * expire.
 */
const leaseMs = 30_000;
/**
 * The minimum interval between claims, because a claim costs about the same for one notification as for a
 * hundred.
 */
const minIntervalMs = 5;
/** The maximum number of concurrent deliveries of a queue without its own limit. */
const queueConcurrency = 10;
/** The memory budget for the large payloads that are being delivered, because each may have several megabytes. */
const largeBytesMax = 64 * 1_024 * 1_024;
/** The poll interval while deliveries are running. */
const pollMs = 1_000;

/** The part of the service that deliveries need. */
export type DeliveryService = Db & { secrets: Secrets; settings: { allowPrivateTargets: boolean } };

export type DelivererOptions = {
  /** The system clock: test clocks never affect notifications. */
  clock: Clock;
  /** The maximum number of concurrent deliveries (512). */
  concurrency?: number;
  /** The time limit of one attempt (15 s). */
  timeoutMs?: number;
  tracer?: Tracer | undefined;
  /** While it returns true, no more deliveries start. */
  isPaused?: () => boolean;
  /** Receives internal errors, such as an unavailable database or a secret that cannot be decrypted. */
  onError: (error: Error) => void;
  /** Receives the alerts to merchants, for the operator's log. */
  onAlert?: ((alert: AlertDraft) => void) | undefined;
};

export type Deliverer = {
  /**
   * Delivers due notifications. The promise resolves when none is due or running, when deliveries are paused or the
   * database has failed, and never rejects. A call during a run wakes the run and resolves with it.
   */
  deliver(): Promise<void>;
  /** Stops claiming and waits for running deliveries. */
  stop(): Promise<void>;
};

/**
 * Starts the deliverer of a process; its limits apply per process. Several processes can deliver at the same time.
 */
export function startDeliverer(service: DeliveryService, options: DelivererOptions): Deliverer {
  const wakeSignal = createSignal();
  const runner = createRunner(service, options, wakeSignal.wake);
  const { isPaused = () => false } = options;
  let run: Promise<void> | undefined;
  let isStopped = false;

  const runLoop = async (): Promise<void> => {
    try {
      while (!isStopped && !isPaused()) {
        wakeSignal.reset();
        const startMs = performance.now();
        const { claimed, rateFreesInMs } = await runner.claimDue();
        // Pauses as long as the claim took, so that claims take at most half of the time.
        const pause = delay(Math.max(minIntervalMs, performance.now() - startMs));
        if (claimed === 0) {
          if (runner.isIdle() && rateFreesInMs === null && !wakeSignal.isWoken()) break;
          await wakeSignal.wait(Math.min(pollMs, rateFreesInMs ?? pollMs));
        }
        await pause;
      }
    } catch (error) {
      options.onError(error as Error);
    } finally {
      // No `await` separates this from the last check, so the next call starts a new run.
      run = undefined;
    }
  };

  return {
    deliver() {
      wakeSignal.wake();
      // A loop that ended without waiting would clear `run` before this assigns it.
      if (!isPaused()) run ??= runLoop();
      return run ?? Promise.resolve();
    },
    async stop() {
      isStopped = true;
      wakeSignal.wake();
      await run;
      await runner.stop();
    },
  };
}

/** Claims as many notifications as there are free slots, and delivers them. */
function createRunner(service: DeliveryService, options: DelivererOptions, onFree: () => void) {
  const { clock, tracer, onError, onAlert = () => {} } = options;
  const { concurrency: total = 512 } = options;
  const poster = createPoster({ ...service.settings, ...options });
  const buildRequest = createRequestBuilder(service.secrets);
  const dependencies = { poster, buildRequest, clock, tracer, onError };
  const record = createRecorder(service, onAlert);
  const slots = createSlots({ total, perQueue: queueConcurrency });
  const running = new Set<Promise<void>>();
  const workerId = randomUUID();
  let largeBytes = 0;

  const deliverOne = async (
    claim: NotificationClaim,
    certificate: Certificate | undefined,
  ): Promise<void> => {
    const release = slots.take(claim.queueKey);
    largeBytes += claim.largeBytes;
    const attempt = await attemptNotification(dependencies, claim, certificate);
    if (claim.kind === 'callback' && attempt.result)
      slots.recordCallback(claim.queueKey, { hasFailed: !isDelivered(attempt.result) });
    await record(attempt).catch(onError);
    release();
    largeBytes -= claim.largeBytes;
    onFree();
  };

  return {
    isIdle: () => running.size === 0,
    async claimDue(): Promise<{ claimed: number; rateFreesInMs: number | null }> {
      if (slots.inUse() >= total) return { claimed: 0, rateFreesInMs: null };
      const now = clock.now();
      const leasedUntil = getLeaseEnd(now, leaseMs);
      const { slots: grantedSlots, rateFreesInMs } = slots.grant(
        await findDueQueues(service, { now, leasedUntil, workerId }),
      );
      const claims = await claimNotifications(service, {
        now,
        leasedUntil,
        slots: grantedSlots,
        largeBytesFree: largeBytesMax - largeBytes,
      });
      const callbacks = claims.filter(({ kind }) => kind === 'callback');
      const merchantIds = new Set(callbacks.map(({ merchantId }) => merchantId));
      const findCertificate = await findSigningCertificates(service.prisma, [...merchantIds], now);
      for (const claim of claims) {
        const ended = deliverOne(claim, findCertificate(claim)).finally(() => running.delete(ended));
        running.add(ended);
      }
      return { claimed: claims.length, rateFreesInMs };
    },
    async stop(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
      poster.close();
      await releaseWebhooks(service, workerId).catch(onError);
    },
  };
}

/** Creates a signal on which the loop waits until it is woken. A wake while the loop is busy is not lost. */
function createSignal() {
  let isWakePending = false;
  let stopWaiting = () => {};
  return {
    wake() {
      isWakePending = true;
      stopWaiting();
    },
    isWoken: () => isWakePending,
    reset() {
      isWakePending = false;
    },
    async wait(maxMs: number): Promise<void> {
      if (isWakePending) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, maxMs);
      stopWaiting = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}

/**
 * Finds the certificates that sign callbacks: for each merchant and mode, the unrevoked one that became
 * active last. Modes have separate certificates, so that a sandbox callback cannot be mistaken for a live
 * one.
 */
export async function findSigningCertificates(
  tx: Tx,
  merchantIds: readonly string[],
  now: Date,
): Promise<(scope: MerchantScope) => Certificate | undefined> {
  if (merchantIds.length === 0) return () => undefined;
  const certificates = await tx.certificate.findMany({
    where: { merchantId: { in: [...merchantIds] }, revokedAt: null, signsFrom: { lte: now } },
    orderBy: [{ signsFrom: 'asc' }, { id: 'asc' }],
  });
  const toKey = ({ merchantId, mode }: MerchantScope) => `${mode} ${merchantId}`;
  const certificatesByKey = new Map(certificates.map((certificate) => [toKey(certificate), certificate]));
  return (scope) => certificatesByKey.get(toKey(scope));
}
