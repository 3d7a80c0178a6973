import {
  escapeMarkup,
  joinParts,
  type SitePage,
  toJsonBlock,
  toNameCell,
  toSiteUrl,
  toTable,
} from './site-page.ts';

type SiteSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: SiteSchema[];
  oneOf?: SiteSchema[];
  allOf?: SiteSchema[];
  items?: SiteSchema;
  properties?: Record<string, SiteSchema>;
  required?: string[];
};
type Content = Record<string, { schema?: SiteSchema; example?: unknown }>;
type SiteOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: SiteSchema }[];
  requestBody?: { description?: string; content?: Content };
  responses: Record<string, { description: string; 'x-error-codes'?: string[]; content?: Content }>;
};
/** The parts of the OpenAPI document that the site shows. */
export type SiteOpenApi = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, SiteOperation>>;
  webhooks: Record<string, { post: SiteOperation }>;
  components: { schemas: Record<string, SiteSchema> };
};
/** An operation of the REST API, and where the site describes it. */
export type DocumentedRoute = { name: string; url: string; errorCodes: string[] };

const objectsSlug = 'reference/rest/objects';

/** Returns a page for each group of operations, and one with all objects. */
export function createRestPages(document: SiteOpenApi): SitePage[] {
  const groups = document.tags.filter(({ name }) => name !== 'Webhooks');
  const pages = groups.map(({ name, description }) => ({
    slug: toGroupSlug(name),
    title: name,
    body: joinParts([
      description,
      ...listGroup(document, name).map((entry) => toOperationSection(document, entry)),
    ]),
  }));
  const schemas = Object.entries(document.components.schemas).toSorted(([a], [b]) => a.localeCompare(b));
  const objects = schemas.map(([name, schema]) =>
    joinParts([`## ${name}`, escapeMarkup(schema.description ?? ''), toMemberTable(document, schema)]),
  );
  const intro = 'These objects are in the bodies of requests, responses and notifications.';
  return [...pages, { slug: objectsSlug, title: 'Objects', body: joinParts([intro, ...objects]) }];
}

type GroupEntry = { method: string; path: string; operation: SiteOperation };

function listGroup(document: SiteOpenApi, tag: string): GroupEntry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags = [] }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function listRestOperations(document: SiteOpenApi): DocumentedRoute[] {
  return document.tags.flatMap(({ name: tag }) =>
    listGroup(document, tag).map(({ method, path, operation }) => ({
      name: `${method} ${path}`,
      url: toSiteUrl(toGroupSlug(tag), toAnchor(toHeading(operation))),
      errorCodes: Object.values(operation.responses).flatMap((response) => response['x-error-codes'] ?? []),
    })),
  );
}

const toGroupSlug = (tag: string) => `reference/rest/${tag.toLowerCase().replaceAll(' ', '-')}`;
const toHeading = ({ summary }: SiteOperation) => summary.replace(/ \([^)]*\)$/, '');

/** Returns the anchor that GitHub and the site generator create for a heading. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function toOperationSection(document: SiteOpenApi, { method, path, operation }: GroupEntry): string {
  const { parameters = [], requestBody, responses } = operation;
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [status, success] = Object.entries(responses).find(([key]) => key.startsWith('2')) ?? [];
  const [responseType, response] = Object.entries(success?.content ?? {})[0] ?? [];
  const rows = parameters
    .filter(({ name }) => name !== 'Causeway-Version')
    .map(({ name, in: place, required, description = '', schema = {} }) => [
      toNameCell(name, `${place}${required ? ', required' : ''}: ${toTypeText(schema)}`),
      escapeMarkup(description),
    ]);
  const codes = Object.values(responses).flatMap((response) => response['x-error-codes'] ?? []);
  return joinParts([
    `## ${toHeading(operation)}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    escapeMarkup(operation.description ?? ''),
    rows.length > 0 ? `**Parameters**\n\n${toTable(['name', 'meaning'], rows)}` : '',
    body && `**Body** (\`${bodyType}\`)`,
    body?.schema && toMemberTable(document, resolve(document, body.schema)),
    body?.example === undefined ? '' : toExample(body.example),
    success && `**Response** (${status}${responseType ? `, \`${responseType}\`` : ''})`,
    response?.schema && `Returns ${toTypeText(response.schema)}.`,
    response?.example === undefined ? '' : toExample(response.example),
    `**Errors**: ${[...new Set(codes)].map((code) => `[\`${code}\`](${toSiteUrl(`reference/errors/${code}`)})`).join(', ')}`,
  ]);
}

const toExample = (example: unknown) =>
  typeof example === 'string' ? `\`\`\`\n${example}\n\`\`\`` : toJsonBlock(example);

function resolve(document: SiteOpenApi, schema: SiteSchema): SiteSchema {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
}

/** Returns a table with the members of an object, including those of inline schemas. */
export function toMemberTable(document: SiteOpenApi, schema: SiteSchema): string {
  return toTable(['member', 'meaning'], listMembers(document, schema, ''));
}

function listMembers(document: SiteOpenApi, schema: SiteSchema, prefix: string): string[][] {
  const parts = schema.allOf?.map((part) => resolve(document, part)) ?? [schema];
  return parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      const text = `${toTypeText(member)}${required.includes(name) ? '' : ', optional'}`;
      const row = [toNameCell(`${prefix}${name}`, text), escapeMarkup(member.description ?? '')];
      const nested = member.properties ? member : member.items?.properties ? member.items : undefined;
      const suffix = member.properties ? '.' : '[].';
      return nested ? [row, ...listMembers(document, nested, `${prefix}${name}${suffix}`)] : [row];
    }),
  );
}

function toTypeText(schema: SiteSchema): string {
  const { $ref, type, items, anyOf, oneOf, allOf } = schema;
  if ($ref) {
    const name = $ref.split('/').at(-1)!;
    return `[${name}](${toSiteUrl(objectsSlug, toAnchor(name))})`;
  }
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const choices = anyOf ?? oneOf ?? (type === undefined ? allOf : undefined);
  if (choices) return [...new Set(choices.map(toTypeText))].join(' or ');
  if (items) return `array of ${toTypeText(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}
