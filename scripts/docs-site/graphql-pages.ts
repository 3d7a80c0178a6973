import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import { errorCatalog } from '../../src/kit/errors.ts';
import { escapeMarkup, joinParts, type SitePage, toNameCell, toSiteUrl, toTable } from './site-page.ts';

/** An operation of the GraphQL API, and where the site describes it. */
export type DocumentedField = { name: string; url: string; description: string };

type Root = { type: GraphQLObjectType; slug: string; title: string; intro: string };

const typesSlug = 'reference/graphql/types';

function listRoots(schema: GraphQLSchema): Root[] {
  return [
    [schema.getQueryType(), 'queries', 'Queries read your data.'],
    [
      schema.getMutationType(),
      'mutations',
      'Mutations change your data. Each returns its result or a typed error.',
    ],
    [
      schema.getSubscriptionType(),
      'subscriptions',
      'Subscriptions send live updates, over WebSocket or server-sent events.',
    ],
  ].flatMap(([type, name, intro]) => {
    const title = `${(name as string)[0]!.toUpperCase()}${(name as string).slice(1)}`;
    return type ? [{ type, slug: `reference/graphql/${name}`, title, intro } as Root] : [];
  });
}

export function listGraphqlOperations(schema: GraphQLSchema): DocumentedField[] {
  return listRoots(schema).flatMap(({ type, slug }) =>
    Object.values(type.getFields()).map(({ name, description }) => ({
      name,
      url: toSiteUrl(`${slug}/${name}`),
      description: description ?? '',
    })),
  );
}

/** Returns a page for each operation and for each type that `hasPage`, and indexes of both. */
export function createGraphqlPages(schema: GraphQLSchema): SitePage[] {
  const shownTypes = Object.values(schema.getTypeMap()).filter((type) => hasPage(schema, type));
  const kinds: [title: string, test: (type: GraphQLNamedType) => boolean][] = [
    ['Objects', isObjectType],
    ['Interfaces', isInterfaceType],
    ['Unions', isUnionType],
    ['Inputs', isInputObjectType],
    ['Enums', isEnumType],
  ];
  const scalars = Object.values(schema.getTypeMap()).filter((type) => isScalarType(type));
  const scalarRows = scalars.map(({ name, description, specifiedByURL: url }) => [
    url ? `[\`${name}\`](${url})` : `\`${name}\``,
    toText(description),
  ]);
  return [
    ...listRoots(schema).flatMap((root) => createRootPages(schema, root)),
    ...shownTypes.map((type) => createTypePage(schema, type)),
    {
      slug: typesSlug,
      title: 'Types',
      body: joinParts([
        'All types of the schema, except those that belong to one operation and are described there.',
        ...kinds.map(([title, test]) => {
          const rows = shownTypes
            .filter(test)
            .map((type) => [toTypeLink(schema, type), toFirstSentence(type.description)]);
          return `## ${title}\n\n${toTable(['type', 'meaning'], rows)}`;
        }),
        `## Scalars\n\n${toTable(['scalar', 'meaning'], scalarRows)}`,
      ]),
    },
  ];
}

/**
 * Returns whether a type has a page. Results of mutations are described with the mutation, and all connections have the
 * same form.
 */
function hasPage(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(
    type as never,
  );
  return !isRoot && !isScalarType(type) && !/^__|(?:Success|Result|Edge|Connection)$/.test(type.name);
}

function createRootPages(schema: GraphQLSchema, { type, slug, title, intro }: Root): SitePage[] {
  const fields = Object.values(type.getFields());
  const rows = fields.map(({ name, description }) => [
    `[\`${name}\`](${toSiteUrl(`${slug}/${name}`)})`,
    toFirstSentence(description),
  ]);
  const index = { slug, title, body: joinParts([intro, toTable(['operation', 'meaning'], rows)]) };
  return [index, ...fields.map((field) => createOperationPage(schema, field, slug))];
}

function createOperationPage(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  slug: string,
): SitePage {
  const { name, args, type, description } = field;
  const result = getNamedType(type);
  const success = isUnionType(result)
    ? result.getTypes().find((member) => member.name.endsWith('Success'))
    : undefined;
  const errors = isUnionType(result) ? result.getTypes().filter((member) => member !== success) : [];
  const onlyInput = args.length === 1 && args[0]!.name === 'input' ? getNamedType(args[0]!.type) : undefined;
  const inputs = isInputObjectType(onlyInput) ? Object.values(onlyInput.getFields()) : args;
  const signature = `${name}${args.length > 0 ? `(${args.map((arg) => `${arg.name}: ${arg.type}`).join(', ')})` : ''}: ${type}`;
  return {
    slug: `${slug}/${name}`,
    title: name,
    body: joinParts([
      linkErrorCodes(toText(description)),
      `\`\`\`graphql\n${signature}\n\`\`\``,
      inputs.length > 0
        ? `## ${isInputObjectType(onlyInput) ? 'Input' : 'Arguments'}\n\n${toInputTable(schema, inputs)}`
        : '',
      success ? `## Success\n\n${toFieldTable(schema, Object.values(success.getFields()))}` : '',
      errors.length > 0
        ? `## Errors\n\n${errors.map((error) => `- ${toTypeLink(schema, error)}`).join('\n')}`
        : '',
      success ? '' : `Returns ${toTypeLink(schema, result, String(type))}.`,
    ]),
  };
}

function createTypePage(schema: GraphQLSchema, type: GraphQLNamedType): SitePage {
  return {
    slug: `${typesSlug}/${type.name}`,
    title: type.name,
    body: joinParts([toText(type.description), toTypeBody(schema, type)]),
  };
}

function toTypeBody(schema: GraphQLSchema, type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    const rows = type.getValues().map(({ name, description }) => [`\`${name}\``, toText(description)]);
    return `## Values\n\n${toTable(['value', 'meaning'], rows)}`;
  }
  if (isUnionType(type))
    return `## Types\n\n${type
      .getTypes()
      .map((member) => `- ${toTypeLink(schema, member)}`)
      .join('\n')}`;
  if (isInputObjectType(type)) return `## Fields\n\n${toInputTable(schema, Object.values(type.getFields()))}`;
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  const interfaces = type.getInterfaces().map((parent) => toTypeLink(schema, parent));
  return joinParts([
    interfaces.length > 0 ? `Implements ${interfaces.join(', ')}.` : '',
    `## Fields\n\n${toFieldTable(schema, Object.values(type.getFields()))}`,
  ]);
}

function toInputTable(
  schema: GraphQLSchema,
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
): string {
  const rows = inputs.map(({ name, type, description }) => [
    toNameCell(name, toTypeLink(schema, getNamedType(type), String(type))),
    toText(description),
  ]);
  return toTable(['name', 'meaning'], rows);
}

function toFieldTable(schema: GraphQLSchema, fields: GraphQLField<unknown, unknown>[]): string {
  const rows = fields.map(({ name, args, type, description, deprecationReason }) => [
    toNameCell(
      `${name}${args.length > 0 ? `(${args.map((arg) => arg.name).join(', ')})` : ''}`,
      toTypeLink(schema, getNamedType(type), String(type)),
    ),
    `${toText(description)}${deprecationReason ? ` **Deprecated**: ${toText(deprecationReason)}` : ''}`,
  ]);
  return toTable(['field', 'meaning'], rows);
}

/** Returns the name of a type, with a link if it has a page. A connection links to the type of its nodes. */
function toTypeLink(schema: GraphQLSchema, type: GraphQLNamedType, text: string = type.name): string {
  const node = schema.getType(type.name.replace(/Connection$/, ''));
  const target = hasPage(schema, type) ? type : node && hasPage(schema, node) ? node : undefined;
  return target ? `[\`${text}\`](${toSiteUrl(`${typesSlug}/${target.name}`)})` : `\`${text}\``;
}

const toText = (description: string | null | undefined) =>
  escapeMarkup((description ?? '').replaceAll('\n', ' '));
const toFirstSentence = (description: string | null | undefined) =>
  toText(description).split(/(?<=\.) (?=[A-Z`])/)[0] ?? '';

function linkErrorCodes(text: string): string {
  return text.replaceAll(/`(\w+)`/g, (code, name: string) =>
    name in errorCatalog ? `[${code}](${toSiteUrl(`reference/errors/${name}`)})` : code,
  );
}
