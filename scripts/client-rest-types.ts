import type { OpenApi, OpenApiSchema } from './released-openapi.ts';

type DescribedSchema = OpenApiSchema & {
  $ref?: string;
  const?: unknown;
  format?: string;
  description?: string;
  oneOf?: DescribedSchema[];
};

type Operation = NonNullable<NonNullable<OpenApi['paths']>[string]>[string] & { operationId: string };

/** Renders the OpenAPI document as TypeScript: its named types, and the input and output of each operation. */
export function renderRestTypes(document: OpenApi): string {
  const { components } = document as { components?: { schemas?: Record<string, DescribedSchema> } };
  const operations = Object.values(document.paths ?? {}).flatMap((methods) =>
    Object.values(methods as Record<string, Operation>),
  );
  const declarations = Object.entries(components?.schemas ?? {}).map(([name, schema]) =>
    declare(name, schema),
  );
  const entries = operations.map(renderOperation);
  return [
    ...declarations,
    `/** The query, body and successful response of each operation. */\nexport type RestOperations = {\n${entries.join('')}};\n`,
  ].join('\n');
}

function renderOperation(operation: Operation): string {
  const { operationId, parameters = [], requestBody } = operation;
  const query = parameters.filter(({ in: place }) => place === 'query');
  const querySchema = {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return [
    `  ${operationId}: {\n`,
    ...(query.length > 0 ? [`    query: ${renderType(querySchema, '    ')};\n`] : []),
    ...(body ? [`    body: ${renderType(body, '    ')};\n`] : []),
    `    response: ${renderType(getResponse(operation), '    ')};\n`,
    '  };\n',
  ].join('');
}

function getResponse({ responses = {} }: Operation): DescribedSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return Object.values(success?.content ?? {})[0]?.schema ?? {};
}

function declare(name: string, schema: DescribedSchema): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : '';
  return `${comment}export type ${name} = ${renderType(schema, '')};\n`;
}

function renderType(schema: DescribedSchema, indent: string): string {
  const name = schema.$ref?.split('/').at(-1);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = (schema.anyOf ?? schema.oneOf) as DescribedSchema[] | undefined;
  if (variants && !schema.properties) return joinUnion(variants, indent);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return types.map((type) => renderOfType(type, schema, indent)).join(' | ');
}

function joinUnion(variants: DescribedSchema[], indent: string): string {
  return [...new Set(variants.map((variant) => renderType(variant, indent)))].join(' | ');
}

function renderOfType(type: string, schema: DescribedSchema, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return schema.format === 'binary' ? 'Uint8Array' : 'string';
  if (type === 'array') {
    const item = schema.items ? renderType(schema.items, indent) : 'unknown';
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }
  return type === 'object' ? renderObject(schema, indent) : type;
}

function renderObject(schema: DescribedSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties as Record<string, DescribedSchema>).map(([name, member]) => {
    const description = member.description?.replaceAll('*/', '* /');
    const comment = description ? `${indent}  /** ${description} */\n` : '';
    const mark = required.includes(name) ? '' : '?';
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = renderType(member, `${indent}  `);
    return `${comment}${indent}  ${key}${mark}: ${type}${mark ? ' | undefined' : ''};\n`;
  });
  if (members.length > 0) return `{\n${members.join('')}${indent}}`;
  const value = typeof additionalProperties === 'object' ? (additionalProperties as DescribedSchema) : {};
  return `Record<string, ${renderType(value, indent)}>`;
}
