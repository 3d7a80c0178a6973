import type { Tx } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import type { Secrets } from '../../kit/secrets.ts';

/** Answers that are looked into at a time. */
const batch = 500;

/**
 * Takes what is known of a person out of the answers that are kept for idempotency keys; the answers stay, so that a
 * repeat still does nothing twice. GraphQL lets callers name members as they like: texts that are, or hold, one of the
 * `words` go.
 */
export async function eraseKeptAnswers(
  tx: Tx,
  { merchantId, mode, words, secrets }: Owner & { words: string[]; secrets: Secrets },
): Promise<void> {
  const known = words.map((word) => word.toLowerCase());
  const bare = (_name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    const text = value.toLowerCase();
    return known.some((word) => text === word || (isContact(word) && text.includes(word))) ? '' : value;
  };
  for (let after = ''; ; ) {
    const rows = await tx.idempotencyKey.findMany({
      where: { merchantId, mode, key: { gt: after } },
      select: { key: true, answerSealed: true },
      orderBy: { key: 'asc' },
      take: batch,
    });
    for (const { key, answerSealed } of rows) {
      const answer = secrets.unseal(answerSealed);
      const erased = JSON.stringify(JSON.parse(answer, bare));
      if (erased === answer) continue;
      await tx.idempotencyKey.update({
        where: { merchantId_mode_key: { merchantId, mode, key } },
        data: { answerSealed: secrets.seal(erased) },
      });
    }
    if (rows.length < batch) return;
    after = rows.at(-1)!.key;
  }
}

/** An e-mail or a phone; a name may be a word like any other. */
function isContact(word: string): boolean {
  return word.includes('@') || /^\+\d{7,}$/.test(word);
}
