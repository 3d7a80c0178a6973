import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import type { RunBatch } from './transact-erasure.ts';

const batchSize = 500;

/**
 * Erases a person's data from the responses stored for idempotency keys; with `since`, only from those stored
 * since that time. The responses themselves remain, so that repeated requests still have no effect. GraphQL
 * callers choose the property names, so personal data is recognized by its value. A response is about the
 * person if it contains one of their contacts or of the `ids`. In such a response, texts that equal an
 * identifier or contain a contact are emptied. A name alone does not identify a response, because it may be a
 * common word.
 */
export async function eraseStoredResponses(
  { tx, runBatch }: { tx: Tx; runBatch: RunBatch },
  options: MerchantScope & { identifiers: string[]; ids: string[]; secrets: Secrets; since?: Date },
): Promise<void> {
  const { merchantId, mode, secrets, since } = options;
  const erase = createEraser(options);
  for (let after = ''; ; ) {
    const rows = await tx.idempotencyKey.findMany({
      where: { merchantId, mode, key: { gt: after }, ...(since && { createdAt: { gte: since } }) },
      select: { key: true, responseEncrypted: true },
      orderBy: { key: 'asc' },
      take: batchSize,
    });
    const replacements: ResponseReplacement[] = [];
    for (const { key, responseEncrypted: from } of rows) {
      const rowKey = [merchantId, mode, key] as const;
      const response = await secrets.decrypt(from, 'idempotency_key.response_encrypted', rowKey);
      const erasedResponse = erase(response);
      if (erasedResponse === response) continue;
      replacements.push({
        key,
        from,
        to: secrets.encrypt(erasedResponse, 'idempotency_key.response_encrypted', rowKey),
      });
    }
    const count = await runBatch((batchTx) => replaceResponses(batchTx, { merchantId, mode }, replacements));
    // If a response was replaced or re-encrypted concurrently, the batch is read again.
    if (count < replacements.length) continue;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.key;
  }
}

/** Returns a function that erases the person's data from a JSON response, if the response is about them. */
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
    // Contacts and IDs are searched in the whole JSON text: contacts are not escaped in JSON, and IDs also
    // occur in URLs.
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

/** The length of the prefix is limited, so that a long text without an ID is scanned in linear time. */
const idPattern = /\b[a-z]{2,5}_[0-9a-z]+/g;

/** Returns whether the text is an email address or a phone number, and not a name. */
function isContact(text: string): boolean {
  return text.includes('@') || /^\+\d{7,}$/.test(text);
}

type ResponseReplacement = { key: string; from: string; to: string };

/**
 * Replaces the responses that have not changed since they were read. Returns the number of replaced
 * responses.
 */
async function replaceResponses(
  tx: Tx,
  { merchantId, mode }: MerchantScope,
  replacements: ResponseReplacement[],
): Promise<number> {
  if (replacements.length === 0) return 0;
  const column = (name: keyof ResponseReplacement) => replacements.map((row) => row[name]);
  return tx.$executeRaw`UPDATE idempotency_key SET response_encrypted = input.replacement
    FROM unnest(${column('key')}::text[], ${column('from')}::text[], ${column('to')}::text[])
      AS input (key, previous, replacement)
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND idempotency_key.key = input.key
      AND response_encrypted = input.previous`;
}
