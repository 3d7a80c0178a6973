import type { Mode, NotificationKind, NotificationStatus } from '../../prisma/client/client.ts';
import type { Message } from '../event/catalogue.ts';
import { formatNotice } from '../event/notice.ts';
import type { Db } from '../kit/db.ts';
import { transactPlain } from '../kit/transact-plain.ts';
import { claimSettings, claimSql } from './claim-sql.ts';
import type { Room } from './lanes.ts';
import type { NotifiedEvent } from './notification-body.ts';

/** A notification that this process alone may post until `claimedUntil`. */
export type Claim = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: NotificationKind;
  url: string;
  /** Deliveries of one lane take turns: a webhook, or a merchant's callbacks to one host and port. */
  lane: string;
  /** A retry, or to an endpoint that fails or is slow at present: only half of all places are for these. */
  doubtful: boolean;
  attemptsMade: number;
  /** Where the retry schedule began: the attempts made before it was last set going anew. */
  attemptsBefore: number;
  claimedUntil: Date;
  /** Of an invented object: tried once, and nothing is concluded from it. */
  isTest: boolean;
  event: NotifiedEvent;
  /** Null for a callback. */
  webhook: ClaimedWebhook | null;
};

type ClaimedWebhook = {
  id: string;
  username: string;
  passwordEncrypted: string;
  version: string;
  failing: boolean;
  ratePerSecond: number | null;
  concurrency: number | null;
  /** Null unless the merchant turned signatures on. */
  signingSecretEncrypted: string | null;
  /** The one before, as long as it signs too. */
  lastSigningSecretEncrypted: string | null;
};

export type ClaimOptions = {
  now: Date;
  until: Date;
  room: Room;
  perLane: number;
  /** Names this process: a webhook with limits of its own is delivered to by one process at a time. */
  holder: string;
};

/**
 * Claims due notifications, oldest first, from every lane that has a place: a dead endpoint with a million due
 * deliveries is passed over in one step. A claim that ran out is taken again: its process was killed. Those of a webhook
 * that was switched off or deleted meanwhile become `skipped`. Answers the claims and how many rows it moved.
 */
export async function claimNotifications(
  db: Db,
  options: ClaimOptions,
): Promise<{ claims: Claim[]; moved: number }> {
  const { now, until, perLane, holder, room } = options;
  const { places, doubtful, ofMerchant, merchants, left, lanes, used, begun, slow } = room;
  const ofLanes = [now, until, places, perLane, lanes, used, begun, holder, doubtful];
  const values = [...ofLanes, slow, merchants, left, ofMerchant];
  const claim = { name: 'claim-notifications', text: claimSql, values };
  const { rows } = await transactPlain(db, (tx) => tx.query<ClaimRow>(claim), claimSettings);
  for (const row of rows.filter(({ status }) => status === 'skipped')) {
    db.announce(formatNotice({ objectId: row.id, merchantId: row.merchantId, mode: row.mode }));
  }
  const claims = rows.filter(({ status }) => status === 'pending').map((row) => toClaim(row, until));
  return { claims, moved: rows.length };
}

/** Gives claims back that were not posted: whoever claims next takes them as they are then. */
export async function releaseClaims(db: Db, claims: readonly Claim[]): Promise<void> {
  await db.pool.query(
    `UPDATE notification SET claimed_until = NULL
     FROM unnest($1::text[], $2::timestamptz[]) AS given (id, until)
     WHERE notification.id = ANY ($1) AND notification.id = given.id
       AND notification.status::text = 'pending' AND notification.claimed_until = given.until`,
    [claims.map(({ id }) => id), claims.map(({ claimedUntil }) => claimedUntil)],
  );
}

/** Lets other processes deliver to the webhooks that this one had for itself. */
export async function endLeases(db: Db, holder: string): Promise<void> {
  await db.pool.query('UPDATE webhook SET lease_holder = NULL, leased_until = NULL WHERE lease_holder = $1', [
    holder,
  ]);
}

type ClaimRow = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: NotificationKind;
  status: NotificationStatus;
  url: string;
  lane: string;
  doubtful: boolean;
  attemptsMade: number;
  attemptsBefore: number;
  isTest: boolean;
  webhookId: string | null;
  username: string;
  passwordEncrypted: string;
  version: string;
  failing: boolean;
  ratePerSecond: number | null;
  concurrency: number | null;
  signingSecretEncrypted: string | null;
  lastSigningSecretEncrypted: string | null;
  eventId: string;
  message: Message;
  objectId: string;
  objectVersion: number;
  payload: string;
  createdAt: Date;
};

function toClaim(row: ClaimRow, claimedUntil: Date): Claim {
  const { id, merchantId, mode, kind, url, lane, doubtful, attemptsMade, attemptsBefore, isTest } = row;
  const { username, passwordEncrypted, version, failing, ratePerSecond, concurrency } = row;
  const { signingSecretEncrypted, lastSigningSecretEncrypted } = row;
  const { message, objectId, objectVersion, payload, createdAt, webhookId } = row;
  const encrypted = { passwordEncrypted, signingSecretEncrypted, lastSigningSecretEncrypted };
  const webhook = { username, version, failing, ratePerSecond, concurrency, ...encrypted };
  return {
    id,
    merchantId,
    mode,
    kind,
    url,
    lane,
    doubtful,
    attemptsMade,
    attemptsBefore,
    claimedUntil,
    isTest,
    event: { id: row.eventId, merchantId, message, objectId, objectVersion, payload, createdAt },
    webhook: webhookId === null ? null : { id: webhookId, ...webhook },
  };
}
