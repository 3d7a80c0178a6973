import { newId } from '../kit/id.ts';
import type { PlainTx } from '../kit/transact-plain.ts';
import type { Attempt } from './attempt.ts';
import { type AlertDraft, type Health, judgeCallback, judgeWebhook } from './judge-endpoint.ts';

type Judged = { id: string; health: Health; alerts: AlertDraft[] };

/** In the transaction of their attempts: marks how the webhooks do, and writes the alerts. Answers those that are new. */
export async function judgeEndpoints(client: PlainTx, attempts: readonly Attempt[]): Promise<AlertDraft[]> {
  const ofWebhooks = Map.groupBy(
    attempts.filter(({ claim }) => claim.webhook),
    ({ claim }) => claim.webhook!.id,
  );
  const ofCallbacks = attempts.filter(({ claim }) => !claim.webhook);
  const judged = (await lockHealth(client, [...ofWebhooks.keys()])).map(({ id, ...before }) => ({
    id,
    ...judgeWebhook(before, ofWebhooks.get(id) ?? []),
  }));
  if (judged.length > 0) await client.query(markSql, markColumns(judged));
  return insertAlerts(client, [
    ...judged.flatMap(({ alerts }) => alerts),
    ...ofCallbacks.flatMap(judgeCallback),
  ]);
}

/** In one order everywhere, so that two processes do not wait for each other. */
async function lockHealth(client: PlainTx, ids: string[]): Promise<(Health & { id: string })[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<Health & { id: string }>(
    `SELECT id, failures_in_row AS "failuresInRow", failing_since AS "failingSince", failing_told_at AS "failingToldAt",
       disabled_at AS "disabledAt", disabled_reason AS "disabledReason"
     FROM webhook WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return rows;
}

const markSql = `
  UPDATE webhook SET failures_in_row = health.failures, failing_since = health.since, failing_told_at = health.told,
    disabled_at = health.disabled, disabled_reason = health.reason,
    updated_at = CASE WHEN webhook.disabled_at IS NULL AND health.disabled IS NOT NULL THEN health.disabled
      ELSE updated_at END
  FROM unnest($1::text[], $2::int[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::text[])
    AS health (id, failures, since, told, disabled, reason)
  WHERE webhook.id = health.id`;

function markColumns(judged: readonly Judged[]): unknown[] {
  const column = <T>(pick: (health: Health) => T) => judged.map(({ health }) => pick(health));
  return [
    judged.map(({ id }) => id),
    column(({ failuresInRow }) => failuresInRow),
    column(({ failingSince }) => failingSince),
    column(({ failingToldAt }) => failingToldAt),
    column(({ disabledAt }) => disabledAt),
    column(({ disabledReason }) => disabledReason),
  ];
}

async function insertAlerts(client: PlainTx, drafts: readonly AlertDraft[]): Promise<AlertDraft[]> {
  if (drafts.length === 0) return [];
  const column = <T>(pick: (draft: AlertDraft) => T) => drafts.map(pick);
  const { rows } = await client.query<{ key: string }>(
    `INSERT INTO alert (id, merchant_id, mode, kind, webhook_id, notification_id, url, detail, dedupe_key, created_at)
     SELECT id, merchant_id, mode::mode, kind, webhook_id, notification_id, url, detail, dedupe_key, created_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::timestamptz[]) AS draft (id, merchant_id, mode, kind, webhook_id, notification_id, url, detail, dedupe_key,
       created_at)
     ON CONFLICT (dedupe_key) DO NOTHING RETURNING dedupe_key AS key`,
    [
      column(({ attempt }) => newId('alert', attempt.endedAt)),
      column(({ attempt }) => attempt.claim.merchantId),
      column(({ attempt }) => attempt.claim.mode),
      column(({ kind }) => kind),
      column(({ attempt }) => attempt.claim.webhook?.id ?? null),
      column(({ attempt }) => attempt.claim.id),
      column(({ attempt }) => attempt.claim.url),
      column(({ detail }) => detail),
      column(({ dedupeKey }) => dedupeKey),
      column(({ attempt }) => attempt.endedAt),
    ],
  );
  const inserted = new Set(rows.map(({ key }) => key));
  return drafts.filter(({ dedupeKey }, i) => {
    const isFirst = drafts.findIndex((other) => other.dedupeKey === dedupeKey) === i;
    return isFirst && inserted.has(dedupeKey);
  });
}
