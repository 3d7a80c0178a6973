import { buildSchema, findBreakingChanges, type GraphQLSchema } from 'graphql';

/** The GraphQL schema of the newest release; there is none before the first. */
export const releasedSchemaFile = new URL('../schema/released.graphql', import.meta.url);

const heading = /^## +(\S+).*$/gm;

/** The changelog's sections, the newest first: the title (`Unreleased`, or a version) and what stands under it. */
export function parseSections(changelog: string): { title: string; text: string }[] {
  const headings = [...changelog.matchAll(heading)];
  return headings.map(({ 0: line, 1: title = '', index }, i) => ({
    title,
    text: changelog.slice(index + line.length, headings[i + 1]?.index),
  }));
}

/** The version of the newest release that the changelog tells of; undefined before the first. */
export function findNewestRelease(changelog: string): string | undefined {
  return parseSections(changelog).find(({ title }) => /^v?\d/.test(title))?.title;
}

/** What breaks whoever wrote to the released schema, one sentence a change. */
export function listBreakingChanges(released: string, schema: GraphQLSchema): string[] {
  return findBreakingChanges(buildSchema(released), schema).map(({ description }) => description);
}

/** Changes that are not said: each must stand word for word in the top section of the changelog. */
export function findUnannounced(changes: readonly string[], changelog: string): string[] {
  const [top] = parseSections(changelog);
  return changes.filter((change) => !top?.text.includes(change));
}
