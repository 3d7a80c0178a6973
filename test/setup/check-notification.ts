import { Compile } from 'typebox/schema';
import { buildOpenApi, dereference } from '../../scripts/released-openapi.ts';

export type NotificationSchema = {
  $ref?: string;
  type?: string;
  description?: string;
  format?: string;
  properties?: Record<string, NotificationSchema>;
  items?: NotificationSchema;
  additionalProperties?: unknown;
};

type Webhooks = Record<
  string,
  { post: { requestBody: { content: { 'application/json': { schema: NotificationSchema } } } } }
>;
const cache: { webhooks?: Promise<Webhooks> } = {};

/**
 * Throws if the body of a notification does not match the OpenAPI document, or has members that it does not
 * describe.
 */
export async function checkNotification(body: string): Promise<void> {
  cache.webhooks ??= buildOpenApi().then(
    (document) => (dereference(document) as { webhooks: Webhooks }).webhooks,
  );
  const notification = JSON.parse(body);
  const definition = (await cache.webhooks)[notification.message];
  if (!definition) throw new Error(`The document does not name ${notification.message}`);
  const { schema } = definition.post.requestBody.content['application/json'];
  const [isValid, errors] = Compile(schema).Errors(notification);
  const unknownMembers = listUnknownMembers(schema, notification, notification.message);
  if (!isValid || unknownMembers.length > 0)
    throw new Error(
      `${notification.message}: ${JSON.stringify(errors.slice(0, 3))} ${unknownMembers.join()}`,
    );
}

export function listUnknownMembers(schema: NotificationSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => listUnknownMembers(schema.items ?? {}, item, `${path}[]`));
  if (typeof value !== 'object' || value === null || schema.additionalProperties === true) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberSchema =
      schema.properties?.[name] ?? (schema.additionalProperties as NotificationSchema | undefined);
    return memberSchema ? listUnknownMembers(memberSchema, member, `${path}.${name}`) : [`${path}.${name}`];
  });
}
