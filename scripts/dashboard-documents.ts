import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequest, formatDocument, gql, stringifyDocument } from 'urql';

const folder = fileURLToPath(new URL('../src/dashboard/', import.meta.url));

/** The module from which the server imports the hashes of the dashboard's documents. */
export const dashboardHashesFile = new URL('../schema/server/dashboard-hashes.ts', import.meta.url);

/** One `const name = graphql(...)` in the dashboard's source. */
type DocumentDeclaration = { file: string; name: string; text: string; fragments: string[] };

/** A query or mutation of the dashboard: the file and name of its constant, and its text as the client sends it. */
type DashboardDocument = { declaration: string; text: string };

/**
 * Returns every query and mutation of the dashboard. Subscriptions are omitted because they require a
 * session.
 */
export function readDashboardDocuments(): DashboardDocument[] {
  const declarations = readDeclarations();
  const toDocument = ({ file, text, fragments }: DocumentDeclaration): ReturnType<typeof gql> =>
    gql(
      [text, ...fragments.map(() => '')] as unknown as TemplateStringsArray,
      ...fragments.map((name) => toDocument(findFragment(declarations, { file, name }))),
    );
  return declarations
    .filter(({ text }) => /^\s*(?:query|mutation)\b/.test(text))
    .map((declaration) => ({
      declaration: `${declaration.file} ${declaration.name}`,
      // The client's cache adds __typename to every selection before it sends the document.
      text: stringifyDocument(formatDocument(createRequest(toDocument(declaration), {}).query)),
    }));
}

function readDeclarations(): DocumentDeclaration[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => parseDeclarations(file, readFileSync(join(folder, file), 'utf8')));
}

function parseDeclarations(file: string, source: string): DocumentDeclaration[] {
  const declarations = [
    ...source.matchAll(/const (\w+) = graphql\(\s*`([^`]+)`(?:,\s*\[([^\]]*)\])?,?\s*\)/g),
  ].map(([, name = '', text = '', fragments = '']) => ({
    ...{ file, name, text },
    fragments: fragments.split(',').flatMap((name) => name.trim() || []),
  }));
  const calls = source.match(/\bgraphql\(\s*`/g) ?? [];
  if (calls.length !== declarations.length) {
    throw new Error(`${file}: declare each document as const name = graphql(\`…\`, [fragments])`);
  }
  return declarations;
}

/** Finds a fragment by the name of its constant: in the same file, or in any file if the name is unique. */
function findFragment(
  declarations: DocumentDeclaration[],
  reference: { file: string; name: string },
): DocumentDeclaration {
  const candidates = declarations.filter(({ name }) => name === reference.name);
  const fragment =
    candidates.find(({ file }) => file === reference.file) ??
    (candidates.length === 1 ? candidates[0] : undefined);
  if (!fragment)
    throw new Error(`${reference.file}: ${candidates.length} fragments are called ${reference.name}`);
  return fragment;
}

/** Writes the module with the hashes if it is outdated. */
export async function writeDashboardHashes(): Promise<void> {
  const source = renderDashboardHashes();
  if ((await readFile(dashboardHashesFile, 'utf8').catch(() => '')) === source) return;
  await writeFile(dashboardHashesFile, source);
}

export function renderDashboardHashes(): string {
  const lines = readDashboardDocuments().map(({ declaration, text }) => {
    return `  // ${declaration}\n  '${createHash('sha256').update(text).digest('hex')}',\n`;
  });
  return `/** Written by \`npm run schema\`: the SHA-256 of each query and mutation that the dashboard sends. */
export const dashboardHashes: ReadonlySet<string> = new Set([
${lines.join('')}]);
`;
}
