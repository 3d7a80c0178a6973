import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { splitHosts } from './database-hosts.ts';
import type { Db } from './db.ts';
import { secondMs } from './duration.ts';
import { type StaleReads, toStaleReads } from './stale-reads.ts';
import {
  createPrimaryHistory,
  openStandby,
  type Standby,
  type StandbyOptions,
  type StandbyState,
} from './standby.ts';

const measureEveryMs = secondMs;
/** The interval of measurements while a caller waits for a standby. */
const waitStepMs = 50;

/** One server for several reads that belong together. */
export type StaleReader = {
  /** The data includes all changes until this time; undefined if the primary is read. */
  asOf: Date | undefined;
  /** Runs `work`. If it fails on a standby, runs it again on the primary. */
  read<T>(work: (reads: StaleReads) => Promise<T>): Promise<T>;
};

export type ReadReplicas = {
  /** Chooses a standby within the allowed lag, or the primary if there is none. */
  choose(): StaleReader;
  /** Chooses a standby that has all changes until `time`, or the primary if there is none. */
  chooseNewerThan(time: Date): Promise<StaleReader>;
  /**
   * Waits until a standby has all changes until this call, for at most the allowed lag. Returns its URL; undefined if
   * none has them.
   */
  findCurrentUrl(): Promise<string | undefined>;
  /** Returns the states of the standbys. A listed server that is the primary now is not one of them. */
  getStates(): StandbyState[];
  stop(): Promise<void>;
};

/** Reads the primary, for a service without standbys. */
export function readPrimary(primary: Db): StaleReader {
  return { asOf: undefined, read: (work) => work(toStaleReads(primary)) };
}

type Options = Omit<StandbyOptions, 'lagMsMax' | 'poolSize'> & { primary: Db; clock: Clock };

/**
 * Opens the standbys of DATABASE_READ_URL, if it is set. A standby that does not respond does not prevent the
 * start.
 */
export function openReadReplicas(config: Config, options: Options): ReadReplicas | undefined {
  const { databaseReadUrl, databaseReadLagMsMax: lagMsMax, databasePoolSize: poolSize } = config;
  if (databaseReadUrl === undefined) return undefined;
  const standbyOptions = { ...options, lagMsMax, poolSize };
  const standbys = splitHosts(databaseReadUrl).map((url) => openStandby(url, standbyOptions));
  const { measure, stop } = startMeasuring(standbys, options);
  const choose = createChoice(standbys, options);
  return {
    choose: () => choose(lagMsMax),
    async chooseNewerThan(time) {
      const chooseNow = () => choose(options.clock.now().getTime() - time.getTime());
      const reader = chooseNow();
      if (reader.asOf) return reader;
      await measure();
      return chooseNow();
    },
    async findCurrentUrl() {
      const start = performance.now();
      for (;;) {
        await measure();
        const age = performance.now() - start;
        const [current] = findUsable(standbys, age);
        if (current) return current.standby.url;
        if (age > lagMsMax) return undefined;
        await delay(waitStepMs);
      }
    },
    getStates: () => standbys.filter((standby) => !standby.isPrimary()).map((standby) => standby.getState()),
    stop,
  };
}

/** Measures the lag of the standbys once a second and on demand. */
function startMeasuring(standbys: Standby[], { primary, onError }: Options) {
  const history = createPrimaryHistory();
  let measuring: Promise<void> | undefined;
  const measureAll = async () => {
    await history.record(primary);
    await Promise.all(standbys.map((standby) => standby.measure(history)));
  };
  const measure = () => {
    measuring ??= measureAll().finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
  const measureSafely = () => void measure().catch(onError);
  const timer = setInterval(measureSafely, measureEveryMs);
  timer.unref();
  measureSafely();
  const stop = async () => {
    clearInterval(timer);
    await measuring?.catch(() => {});
    await Promise.all(standbys.map((standby) => standby.close()));
  };
  return { measure, stop };
}

function createChoice(standbys: Standby[], { primary, clock }: Options) {
  let turn = 0;
  return (lagMsAllowed: number): StaleReader => {
    const usable = findUsable(standbys, lagMsAllowed);
    const chosen = usable[turn++ % usable.length];
    if (!chosen) return readPrimary(primary);
    return {
      asOf: new Date(clock.now().getTime() - Math.ceil(chosen.lagMs)),
      read: (work) => work(toStaleReads(chosen.standby.db)).catch(() => work(toStaleReads(primary))),
    };
  };
}

function findUsable(standbys: Standby[], lagMsAllowed: number): { standby: Standby; lagMs: number }[] {
  return standbys.flatMap((standby) => {
    const { lagMs, problem } = standby.getState();
    return problem === undefined && lagMs !== undefined && lagMs <= lagMsAllowed ? [{ standby, lagMs }] : [];
  });
}
