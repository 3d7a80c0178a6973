import { randomUUID } from 'node:crypto';
import type { Certificate } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { Tracer } from '../kit/tracer.ts';
import { attemptNotification } from './attempt-notification.ts';
import { batchRecords } from './batch-records.ts';
import { batched } from './batched.ts';
import { type Claim, claimNotifications, endLeases, releaseClaims } from './claim-notifications.ts';
import type { AlertDraft } from './judge-endpoint.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { requestMaker } from './make-request.ts';
import { createPace } from './pace.ts';
import { createPoster, type Poster } from './post.ts';
import { signingCertificates } from './signing-certificates.ts';
import { createSleeper } from './sleeper.ts';

/** Well above the 15 s that an attempt may take, so that only the claim of a killed process runs out. */
const claimMs = 30_000;
/** So much of the claim must be left for an attempt. */
const claimLeftMs = 16_000;
/**
 * A delivery that waited longer than this in its lane is given back and claimed anew: its webhook may have another
 * address, password or secret by now, or be switched off. Ten times what a lane claims in advance, or a busy process
 * would give back what it could as well send.
 */
const freshMs = 5_000;
const placesPreset = 512;
const perLanePreset = 10;
/** How often to look again while deliveries are under way and nobody calls. */
const pollMs = 1_000;

/** What deliveries need of the service. */
export type DeliveryService = Db & { secrets: Secrets; settings: { allowPrivateTargets: boolean } };

export type DelivererOptions = {
  /** The real time: test clocks never move notifications. */
  clock: Clock;
  /** How many deliveries go on side by side (512), and how many of them in one lane (10). */
  concurrency?: number;
  perLane?: number;
  /** What one attempt may take (15 s). */
  timeoutMs?: number;
  tracer?: Tracer | undefined;
  /** Told of faults of our own: the database is away, a secret cannot be decrypted. */
  onFault: (error: Error) => void;
  /** Told of what merchants are told: for the operator's log. */
  onAlert?: ((alert: AlertDraft) => void) | undefined;
};

export type Deliverer = {
  /**
   * Delivers what is due; resolves when nothing is due any more and nothing under way, or the database failed. A call
   * while that goes on makes it look again at once, and resolves with it. Never rejects.
   */
  deliver(): Promise<void>;
  /** Claims no more, and waits for what is under way. */
  stop(): Promise<void>;
};

/** One is enough for a process: its limits hold for all it delivers. Any number of processes share the work. */
export function startDeliverer(service: DeliveryService, options: DelivererOptions): Deliverer {
  const poster = createPoster({ ...service.settings, ...options });
  const sleeper = createSleeper();
  const pace = createPace();
  const { concurrency: places = placesPreset, perLane = perLanePreset } = options;
  const lanes = createLanes({ places, perLane, onFree: sleeper.wake });
  const holder = randomUUID();
  const claimSome = claimer(service, { ...options, perLane, poster, lanes, holder });
  let run: Promise<void> | undefined;
  let stopped = false;

  const work = async (): Promise<void> => {
    try {
      while (!stopped) {
        await pace.wait();
        if (stopped) break;
        sleeper.listen();
        const rateFreesInMs = lanes.rateFreesInMs();
        const moved = await pace.measure(claimSome);
        if (moved > 0) continue;
        if (lanes.underWay() === 0 && rateFreesInMs === null && !sleeper.woken()) break;
        await sleeper.rest(Math.min(pollMs, rateFreesInMs ?? pollMs));
      }
    } catch (error) {
      options.onFault(error as Error);
    } finally {
      // In the same turn as the last look: a call from now on starts anew.
      run = undefined;
    }
  };

  return {
    deliver() {
      sleeper.wake();
      run ??= work();
      return run;
    },
    async stop() {
      stopped = true;
      sleeper.wake();
      await run;
      await lanes.drained();
      poster.close();
      await endLeases(service, holder).catch(options.onFault);
    },
  };
}

/** What claims as much as there are places for, and sets it going. It answers how many rows moved. */
function claimer(
  service: DeliveryService,
  options: DelivererOptions & { perLane: number; poster: Poster; lanes: Lanes; holder: string },
): () => Promise<number> {
  const { clock, poster, lanes, holder, onFault, onAlert = () => {}, perLane, tracer } = options;
  const tools = { poster, makeRequest: requestMaker(service.secrets), clock, tracer };
  const record = batchRecords(service, onAlert);
  const release = batched<Claim>((claims) => releaseClaims(service, claims));

  const start = (claim: Claim, options: { claimedAt: Date; certificate: Certificate | undefined }) => {
    const post = async ({ hasWaited }: { hasWaited: boolean }) => {
      const now = clock.now().getTime();
      const isStale = hasWaited && now - options.claimedAt.getTime() > freshMs;
      if (isStale || claim.claimedUntil.getTime() - now < claimLeftMs) return null;
      return attemptNotification(tools, claim, options.certificate);
    };
    const recordOne = async (posted: Awaited<ReturnType<typeof post>>) => {
      if (!posted) return release(claim).catch(onFault);
      if (posted.fault) onFault(posted.fault);
      await record(posted.attempt).catch(onFault);
    };
    lanes.run(claim, post, recordOne);
  };

  return async () => {
    const room = lanes.room();
    if (room.places === 0) return 0;
    const now = clock.now();
    const until = new Date(now.getTime() + claimMs);
    const claiming = { now, until, room, perLane, holder };
    const { claims, moved } = await claimNotifications(service, claiming);
    const callbacks = claims.filter(({ kind }) => kind === 'callback');
    const merchantIds = new Set(callbacks.map(({ merchantId }) => merchantId));
    const certificateOf = await signingCertificates(service.prisma, [...merchantIds], now);
    for (const claim of claims) start(claim, { claimedAt: now, certificate: certificateOf(claim) });
    return moved;
  };
}
