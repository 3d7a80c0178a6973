import { buildSchema, findBreakingChanges, type GraphQLSchema } from 'graphql';

const heading = /^## +(\S+).*$/gm;

/**
 * Returns the sections of the changelog, newest first: the title (`Unreleased`, or a version) and the text
 * below it.
 */
function parseSections(changelog: string): { title: string; text: string }[] {
  const headings = [...changelog.matchAll(heading)];
  return headings.map(({ 0: line, 1: title = '', index }, i) => ({
    title,
    text: changelog.slice(index + line.length, headings[i + 1]?.index),
  }));
}

/** Returns the version of the newest release in the changelog; undefined before the first release. */
export function findNewestRelease(changelog: string): string | undefined {
  return parseSections(changelog).find(({ title }) => /^v?\d/.test(title))?.title;
}

/** Lists changes that break clients of the released schema, one sentence each. */
export function listBreakingChanges(released: string, schema: GraphQLSchema): string[] {
  return findBreakingChanges(buildSchema(released), schema).map(({ description }) => description);
}

/** Returns unannounced changes. The top section of the changelog must quote each change verbatim. */
export function findUnannounced(changes: readonly string[], changelog: string): string[] {
  const [top] = parseSections(changelog);
  return changes.filter((change) => !top?.text.includes(change));
}
