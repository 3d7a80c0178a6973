import type { OpenApi, OpenApiSchema } from './released-openapi.ts';

type DescribedSchema = OpenApiSchema & {
  $ref?: string;
  const?: unknown;
  format?: string;
  description?: string;
  allOf?: DescribedSchema[];
  oneOf?: DescribedSchema[];
};

type Operation = NonNullable<NonNullable<OpenApi['paths']>[string]>[string] & { operationId: string };

/**
 * The types that get a name: a schema that equals the one at this path is rendered as a reference. The path begins with
 * an operation, whose successful response it is. Named components of the document need no entry.
 */
const namedSchemas: [name: string, operationId: string, ...path: string[]][] = [
  ['Customer', 'getCharge', 'customer'],
  ['Destination', 'getCharge', 'destination'],
  ['Order', 'getCharge', 'orders', '[]'],
  ['Refund', 'getRefund'],
  ['Charge', 'getCharge'],
  ['Session', 'getSession'],
  ['Invoice', 'getSubscription', 'invoices', '[]'],
  ['Subscription', 'getSubscription'],
  ['SubscriptionPlan', 'getSubscriptionPlan'],
  ['Pagination', 'listCharges', 'pagination'],
  ['CountryMethods', 'listMethods', '[]'],
  ['TransferResult', 'recordTransfers', 'transfers', '[]'],
];

type Names = Map<string, string>;

/** Renders the OpenAPI document as TypeScript: its named types, and the input and output of each operation. */
export function renderRestTypes(document: OpenApi): string {
  const { components } = document as { components?: { schemas?: Record<string, DescribedSchema> } };
  const operations = Object.values(document.paths ?? {}).flatMap((methods) =>
    Object.values(methods as Record<string, Operation>),
  );
  const namedComponents = Object.entries(components?.schemas ?? {});
  const componentNames = new Set(namedComponents.map(([name]) => name));
  const names: Names = new Map();
  const declarations = namedComponents.map(([name, schema]) => declare(name, schema, names));
  for (const [name, operationId, ...path] of namedSchemas) {
    if (componentNames.has(name)) continue;
    const operation = operations.find((candidate) => candidate.operationId === operationId);
    const schema = operation && findSchema(getResponse(operation), path);
    if (!schema || schema.$ref) throw new Error(`${operationId} has no schema of its own for ${name}`);
    declarations.push(declare(name, schema, names));
    names.set(toKey(schema), name);
  }
  const entries = operations.map((operation) => renderOperation(operation, names));
  return [
    ...declarations,
    `/** The query, body and successful response of each operation. */\nexport type RestOperations = {\n${entries.join('')}};\n`,
  ].join('\n');
}

function renderOperation(operation: Operation, names: Names): string {
  const { operationId, parameters = [], requestBody } = operation;
  // The client always reads times as text, so that their type is certain.
  const query = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'timestamps');
  const querySchema = {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return [
    `  ${operationId}: {\n`,
    ...(query.length > 0 ? [`    query: ${renderType(querySchema, names, '    ')};\n`] : []),
    ...(body ? [`    body: ${renderType(body, names, '    ')};\n`] : []),
    `    response: ${renderType(getResponse(operation), names, '    ')};\n`,
    '  };\n',
  ].join('');
}

function getResponse({ responses = {} }: Operation): DescribedSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return Object.values(success?.content ?? {})[0]?.schema ?? {};
}

function findSchema(schema: DescribedSchema | undefined, path: string[]): DescribedSchema | undefined {
  const [step, ...rest] = path;
  if (step === undefined || !schema) return schema;
  return findSchema(step === '[]' ? schema.items : schema.properties?.[step], rest);
}

function declare(name: string, schema: DescribedSchema, names: Names): string {
  return `export type ${name} = ${renderType(schema, names, '')};\n`;
}

/** Descriptions and titles do not distinguish types. */
function toKey(schema: DescribedSchema): string {
  const isShape = (name: string) => !['description', 'title', 'examples', 'default'].includes(name);
  return JSON.stringify(schema, (name, value) => (isShape(name) ? value : undefined));
}

function renderType(schema: DescribedSchema, names: Names, indent: string): string {
  const name = names.get(toKey(schema)) ?? schema.$ref?.split('/').at(-1);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = (schema.anyOf ?? schema.oneOf) as DescribedSchema[] | undefined;
  if (variants && !schema.properties) return joinUnion(variants, names, indent);
  if (schema.allOf && !schema.properties)
    return schema.allOf.map((part) => renderType(part, names, indent)).join(' & ');
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return types.map((type) => renderOfType(type, schema, names, indent)).join(' | ');
}

/** Times are text unless the request has `timestamps=epoch`, which the client never sends. */
function joinUnion(variants: DescribedSchema[], names: Names, indent: string): string {
  const isTime = variants.length === 2 && variants[0]?.type === 'string' && variants[1]?.type === 'integer';
  const types = (isTime ? variants.slice(0, 1) : variants).map((one) => renderType(one, names, indent));
  return [...new Set(types)].join(' | ');
}

function renderOfType(type: string, schema: DescribedSchema, names: Names, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return schema.format === 'binary' ? 'Uint8Array' : 'string';
  if (type === 'array') {
    const item = schema.items ? renderType(schema.items, names, indent) : 'unknown';
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }
  return type === 'object' ? renderObject(schema, names, indent) : type;
}

function renderObject(schema: DescribedSchema, names: Names, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties as Record<string, DescribedSchema>).map(([name, member]) => {
    const description = member.description?.replaceAll('*/', '* /');
    const comment = description ? `${indent}  /** ${description} */\n` : '';
    const mark = required.includes(name) ? '' : '?';
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = renderType(member, names, `${indent}  `);
    return `${comment}${indent}  ${key}${mark}: ${type}${mark ? ' | undefined' : ''};\n`;
  });
  if (members.length > 0) return `{\n${members.join('')}${indent}}`;
  const value = typeof additionalProperties === 'object' ? (additionalProperties as DescribedSchema) : {};
  return `Record<string, ${renderType(value, names, indent)}>`;
}
