import { readAppSecret, readOrMakeAppSecret, readProposedAppSecret } from '../../kit/app-secret.ts';
import { fingerprint, type KnownSecrets, makeSecrets } from '../../kit/secrets.ts';
import type { Queryable } from '../../kit/with-client.ts';
import { findSealedExample } from './find-sealed-example.ts';

/** Where a process has its secrets from: the environment, else files of DATA_DIR. */
export type SecretSources = {
  appSecret: string | undefined;
  /** Beside another APP_SECRET: the one before it, or still in force. */
  appSecretOld: string | undefined;
  dataDir: string;
};

export type OpenedSecrets = KnownSecrets & {
  /** That in force, then the one given to follow it: others see by it who is ready for a change. */
  ready: string[];
};

type AppKeyRow = { fingerprint: string; secretSealed: string | null };

/** Those of a process before it is known which of them is in force; `next` is in force once the others no longer are. */
type Given = { next: string | undefined; all: string[] };

/**
 * The secrets of this database: which of those given is in force, and those of before, which it opens. The first one
 * given to a database that holds nothing encrypted is in force from then on; in DATA_DIR it is made. Throws an Error
 * that says what to do when none of those given is in force.
 */
export async function readSecrets(db: Queryable, sources: SecretSources): Promise<OpenedSecrets> {
  const given = await readGiven(sources);
  const rows = await readAppKeys(db);
  const inForce = rows?.find(({ secretSealed }) => secretSealed === null);
  if (!inForce) return beginKeys(db, { sources, given, isKept: rows !== undefined });
  const secret = given.all.find((one) => fingerprint(one) === inForce.fingerprint);
  if (secret === undefined) throw notInForce(sources);
  const { unseal } = makeSecrets(secret);
  const earlier = rows!.flatMap(({ secretSealed }) => (secretSealed === null ? [] : [unseal(secretSealed)]));
  return toOpened(secret, given, earlier);
}

/** Of a database that does not say which secret is in force: a new one, or one of before there were several. */
async function beginKeys(
  db: Queryable,
  { sources, given, isKept }: { sources: SecretSources; given: Given; isKept: boolean },
): Promise<OpenedSecrets> {
  const example = await findSealedExample(db);
  const secret =
    example === undefined
      ? (given.next ?? (await readOrMakeAppSecret(sources.dataDir)))
      : given.all.find((one) => opensSealed(one, example));
  if (secret === undefined) throw notInForce(sources);
  if (!isKept) return toOpened(secret, given, []);
  await db.query(
    'INSERT INTO app_key (fingerprint, in_force_since) VALUES ($1, now()) ON CONFLICT DO NOTHING',
    [fingerprint(secret)],
  );
  // Another process may have been first.
  return readSecrets(db, sources);
}

async function readGiven({ appSecret, appSecretOld, dataDir }: SecretSources): Promise<Given> {
  if (appSecret !== undefined) return { next: appSecret, all: withoutHoles([appSecret, appSecretOld]) };
  const [present, proposed] = [await readAppSecret(dataDir), await readProposedAppSecret(dataDir)];
  return { next: proposed ?? present, all: withoutHoles([present, proposed]) };
}

function withoutHoles(secrets: (string | undefined)[]): string[] {
  return secrets.filter((secret) => secret !== undefined);
}

/** Undefined: the schema is of before there was such a table. */
async function readAppKeys(db: Queryable): Promise<AppKeyRow[] | undefined> {
  const tables = await db.query(`SELECT to_regclass('app_key') AS name`);
  if (tables.rows[0]?.name === null) return undefined;
  const { rows } = await db.query<AppKeyRow>(
    'SELECT fingerprint, secret_sealed AS "secretSealed" FROM app_key ORDER BY in_force_since DESC',
  );
  return rows;
}

/** What the next one signs counts before it is in force: other processes hear of the change sooner, or later. */
function toOpened(inForce: string, { next, all }: Given, earlier: string[]): OpenedSecrets {
  const others = all.filter((one) => one !== inForce);
  const upcoming = others.filter((one) => one === next);
  return { inForce, accepted: [...upcoming, ...earlier], opening: others, ready: [inForce, ...upcoming] };
}

export function opensSealed(appSecret: string, sealed: string): boolean {
  try {
    makeSecrets(appSecret).unseal(sealed);
    return true;
  } catch {
    return false;
  }
}

function notInForce({ appSecret, dataDir }: SecretSources): Error {
  return new Error(
    appSecret === undefined
      ? `The app secret with which the database was encrypted is missing, or another one: bring back ${dataDir}/app-secret, or set APP_SECRET`
      : 'APP_SECRET is not the one with which this database was encrypted: set that one',
  );
}
