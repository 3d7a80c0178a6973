import type { Tx } from '../../../kit/db.ts';
import type { Owner } from '../../../kit/owner.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/** Answers that are looked into at a time. */
const batch = 500;

/**
 * Takes what is known of a person out of the answers that are kept for idempotency keys, or of those kept `since` a time;
 * the answers stay, so that a repeat still does nothing twice. GraphQL lets callers name members as they like: of an answer
 * that holds an e-mail or a phone of theirs, or one of the `ids`, texts that are, or hold, one of the `words` go. A name
 * may be a word of anybody's answer.
 */
export async function eraseKeptAnswers(
  tx: Tx,
  options: Owner & { words: string[]; ids: string[]; secrets: Secrets; since?: Date },
): Promise<void> {
  const { merchantId, mode, secrets, since } = options;
  const erase = eraser(options);
  for (let after = ''; ; ) {
    const rows = await tx.idempotencyKey.findMany({
      where: { merchantId, mode, key: { gt: after }, ...(since && { createdAt: { gte: since } }) },
      select: { key: true, answerEncrypted: true },
      orderBy: { key: 'asc' },
      take: batch,
    });
    const changed: Replacement[] = [];
    for (const { key, answerEncrypted: from } of rows) {
      const row = [merchantId, mode, key] as const;
      const answer = await secrets.decrypt(from, 'idempotency_key.answer_encrypted', row);
      const erased = erase(answer);
      if (erased === answer) continue;
      changed.push({ key, from, to: secrets.encrypt(erased, 'idempotency_key.answer_encrypted', row) });
    }
    // Where another answer replaced one, or it was re-encrypted, the batch is read again.
    if ((await replaceAnswers(tx, { merchantId, mode }, changed)) < changed.length) continue;
    if (rows.length < batch) return;
    after = rows.at(-1)!.key;
  }
}

/** Gives an answer, as JSON, without what is known of the person, where it is about the person. */
function eraser({ words, ids }: { words: string[]; ids: string[] }): (answer: string) => string {
  const known = new Set(words.map((word) => word.toLowerCase()));
  const contacts = [...known].filter(isContact);
  const own = new Set(ids);
  const holdsContact = (text: string) => contacts.some((word) => text.includes(word));
  return (answer) => {
    // A contact needs no escape in JSON; ids stand in addresses too.
    const isTheirs =
      holdsContact(answer.toLowerCase()) || (answer.match(idForm) ?? []).some((id) => own.has(id));
    if (!isTheirs) return answer;
    return JSON.stringify(
      JSON.parse(answer, (_name, value: unknown) => {
        if (typeof value !== 'string') return value;
        const text = value.toLowerCase();
        return known.has(text) || holdsContact(text) ? '' : value;
      }),
    );
  };
}

/** Bounded, so that a long text without one is passed over in one go. */
const idForm = /\b[a-z]{2,5}_[0-9a-z]+/g;

/** An e-mail or a phone; a name may be a word like any other. */
function isContact(word: string): boolean {
  return word.includes('@') || /^\+\d{7,}$/.test(word);
}

type Replacement = { key: string; from: string; to: string };

/** Replaces the answers that are still there; returns how many. */
async function replaceAnswers(tx: Tx, { merchantId, mode }: Owner, changed: Replacement[]): Promise<number> {
  if (changed.length === 0) return 0;
  const column = (name: keyof Replacement) => changed.map((row) => row[name]);
  return tx.$executeRaw`UPDATE idempotency_key SET answer_encrypted = given.replacement
    FROM unnest(${column('key')}::text[], ${column('from')}::text[], ${column('to')}::text[])
      AS given (key, present, replacement)
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND idempotency_key.key = given.key
      AND answer_encrypted = given.present`;
}
