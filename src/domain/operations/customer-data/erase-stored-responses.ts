import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/** Answers that are looked into at a time. */
const batchSize = 500;

/**
 * Takes what is known of a person out of the answers that are kept for idempotency keys, or of those kept `since` a time;
 * the answers stay, so that a repeat still does nothing twice. GraphQL lets callers name members as they like: of an answer
 * that holds an e-mail or a phone of theirs, or one of the `ids`, texts that are, or hold, one of the `words` go. A name
 * may be a word of anybody's answer.
 */
export async function eraseStoredResponses(
  tx: Tx,
  options: MerchantScope & { identifiers: string[]; ids: string[]; secrets: Secrets; since?: Date },
): Promise<void> {
  const { merchantId, mode, secrets, since } = options;
  const erase = createEraser(options);
  for (let after = ''; ; ) {
    const rows = await tx.idempotencyKey.findMany({
      where: { merchantId, mode, key: { gt: after }, ...(since && { createdAt: { gte: since } }) },
      select: { key: true, answerEncrypted: true },
      orderBy: { key: 'asc' },
      take: batchSize,
    });
    const replacements: ResponseReplacement[] = [];
    for (const { key, answerEncrypted: from } of rows) {
      const rowKey = [merchantId, mode, key] as const;
      const response = await secrets.decrypt(from, 'idempotency_key.answer_encrypted', rowKey);
      const erasedResponse = erase(response);
      if (erasedResponse === response) continue;
      replacements.push({
        key,
        from,
        to: secrets.encrypt(erasedResponse, 'idempotency_key.answer_encrypted', rowKey),
      });
    }
    // Where another answer replaced one, or it was re-encrypted, the batch is read again.
    if ((await replaceResponses(tx, { merchantId, mode }, replacements)) < replacements.length) continue;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.key;
  }
}

/** Gives an answer, as JSON, without what is known of the person, where it is about the person. */
function createEraser({
  identifiers,
  ids,
}: {
  identifiers: string[];
  ids: string[];
}): (response: string) => string {
  const identifierSet = new Set(identifiers.map((identifier) => identifier.toLowerCase()));
  const contacts = [...identifierSet].filter(isContact);
  const idSet = new Set(ids);
  const containsContact = (text: string) => contacts.some((contact) => text.includes(contact));
  return (response) => {
    // A contact needs no escape in JSON; ids stand in addresses too.
    const isAboutCustomer =
      containsContact(response.toLowerCase()) ||
      (response.match(idPattern) ?? []).some((id) => idSet.has(id));
    if (!isAboutCustomer) return response;
    return JSON.stringify(
      JSON.parse(response, (_name, value: unknown) => {
        if (typeof value !== 'string') return value;
        const text = value.toLowerCase();
        return identifierSet.has(text) || containsContact(text) ? '' : value;
      }),
    );
  };
}

/** Bounded, so that a long text without one is passed over in one go. */
const idPattern = /\b[a-z]{2,5}_[0-9a-z]+/g;

/** An e-mail or a phone; a name may be a word like any other. */
function isContact(text: string): boolean {
  return text.includes('@') || /^\+\d{7,}$/.test(text);
}

type ResponseReplacement = { key: string; from: string; to: string };

/** Replaces the answers that are still there; returns how many. */
async function replaceResponses(
  tx: Tx,
  { merchantId, mode }: MerchantScope,
  replacements: ResponseReplacement[],
): Promise<number> {
  if (replacements.length === 0) return 0;
  const column = (name: keyof ResponseReplacement) => replacements.map((row) => row[name]);
  return tx.$executeRaw`UPDATE idempotency_key SET answer_encrypted = input.replacement
    FROM unnest(${column('key')}::text[], ${column('from')}::text[], ${column('to')}::text[])
      AS input (key, previous, replacement)
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND idempotency_key.key = input.key
      AND answer_encrypted = input.previous`;
}
