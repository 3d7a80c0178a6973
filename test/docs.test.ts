import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { exceptionReasons } from '../src/domain/payments/allocation/transfer-state.ts';
import { eventTypes } from '../src/event/catalog.ts';
import { type FeedPreset, presets } from '../src/feed/catalog.ts';
import { errorCatalog } from '../src/kit/errors.ts';
import { methodCodes } from '../src/method/catalog.ts';
import { createTempDir } from './setup/temp-dir.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...listDocs('docs'),
  ...listDocs('examples'),
  ...listDocs('contracts'),
  'packages/client/README.md',
  'plugins/medusa/README.md',
  'plugins/vendure/README.md',
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');

function listDocs(folder: string): string[] {
  if (!statSync(join(root, folder)).isDirectory()) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

test('docs/reference/errors.md lists every error code with its status, and no other', () => {
  const text = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map((match) => `${match[1]} ${match[2]}`);
  expect(listed.sort()).toEqual(
    Object.entries(errorCatalog)
      .map(([code, { status }]) => `${status} ${code}`)
      .sort(),
  );
});

test('docs/guides/transfers.md explains every kind of exception, and no other', () => {
  const text = readFileSync(join(root, 'docs/guides/transfers.md'), 'utf8');
  const table = text.slice(text.indexOf('| reason |'), text.indexOf('| to | mutation |'));
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
  expect(documented.sort()).toEqual(Object.keys(exceptionReasons).sort());
});

test('docs/reference/events.md lists every event type with its version and object, and no other', () => {
  const rows = read('docs/reference/events.md').matchAll(/^\| `(\w+)` \| ([\d.]+|events only) \| (\w+) \|/gm);
  const listed = [...rows].map(([, eventType, since, object]) => ({ eventType, since, object }));
  const eventTypeFacts = Object.entries(eventTypes).map(([eventType, { object, since }]) => ({
    eventType,
    since: since === 'never' ? 'events only' : since,
    object,
  }));
  expect(listed).toEqual(eventTypeFacts);
});

test('docs/guides/feeds names the support of every kind of feed, and at least one feed for every method', () => {
  const text = read('docs/guides/feeds/README.md');
  for (const kind of Object.keys(presets) as FeedPreset[]) {
    const page = kind.replace(/_v\d$/, '');
    const row = text.split('\n').find((line) => line.startsWith('| [') && line.includes(`](${page}.md)`));
    expect({ kind, row }).toMatchObject({ row: expect.stringContaining(presets[kind].evidence) });
  }
  const rows = [...text.matchAll(/^\| (`.+`) \| [^|]+ \|[^|]*\| (.*\w.*) \|$/gm)];
  const listed = rows.flatMap(([, codes = '']) => [...codes.matchAll(/`([\w-]+)`/g)].map(([, code]) => code));
  expect(listed.toSorted()).toEqual(methodCodes.toSorted());
});

test('every page of a bank feed says what to ask for, where to click and what the fields mean', () => {
  const names = readdirSync(join(root, 'docs/guides/feeds')).filter((name) => name !== 'README.md');
  const sections = [
    /^## What (?:to ask .+ for|you need from .+)$/m,
    /^## (?:Set it up|Describe the sender)$/m,
  ];
  const missing = names.filter((name) => {
    const text = read(`docs/guides/feeds/${name}`);
    const hasFields = /^## (?:What the fields mean|Mapping)\n[^#]*^\| .+ \| (?:Causeway|meaning) \|$/m.test(
      text,
    );
    return !hasFields || !sections.every((section) => section.test(text));
  });
  expect(missing).toEqual([]);
  expect(new Set(names)).toEqual(
    new Set([...Object.keys(presets), 'custom'].map((kind) => `${kind.replace(/_v\d$/, '')}.md`)),
  );
});

test('docs/reference/cli.md lists every command with its usage and options, and no other', () => {
  const sections = read('docs/reference/cli.md').split(/^### /m).slice(1);
  const listed = sections.map((section) => /^`([^`]+)`$/m.exec(section)?.[1]);
  expect(listed.toSorted()).toEqual(commands.map(({ words }) => words.join(' ')).toSorted());
  const incomplete = commands.filter(({ words, usage, options = {} }) => {
    const section = sections.find((candidate) => candidate.startsWith(`\`${words.join(' ')}\`\n`)) ?? '';
    const isExplained = (option: string) =>
      section.includes(`\n| \`--${option}\` |`) || section.includes('Takes the same options as');
    return (
      !section.includes(`\ncauseway ${`${words.join(' ')} ${usage}`.trim()}\n`) ||
      !Object.keys(options).every(isExplained)
    );
  });
  expect(incomplete.map(({ words }) => words.join(' '))).toEqual([]);
});

test('docs/reference/cli.md lists every kind of bank feed that can be simulated', () => {
  const [, kinds = ''] =
    /`KIND` is the kind of the feed: ([^.]+)\./.exec(read('docs/reference/cli.md')) ?? [];
  expect([...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)).toEqual(
    [...Object.keys(presets), 'custom'].toSorted(),
  );
});

/** Variables that libraries read, so that config.ts does not name them. */
const libraryVariables = [
  'NODE_EXTRA_CA_CERTS',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
];

test('docs/reference/environment.md lists every variable with its default and limits, and no other', () => {
  const text = read('docs/reference/environment.md').replaceAll(/(?<=\d),(?=\d{3})/g, '');
  const rows = new Map(
    [...text.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, name, row]) => [name!, row!]),
  );
  const config = read('src/kit/config.ts').replaceAll(/(?<=\d)_(?=\d{3})/g, '');
  const calls = [...config.matchAll(/read\.(\w+)\(\s*'([A-Z_]+)'(?:,\s*([^;]*?))?\)[,;\s]/g)].map(
    ([, kind, name, options = '']) => ({ kind, name: name!, options }),
  );
  const variables = new Set([...config.matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name]) => name!));
  expect(variables.size).toBeGreaterThan(25);
  expect([...rows.keys()].sort()).toEqual([...variables, ...libraryVariables].sort());

  const integers = calls.filter(({ kind }) => kind === 'integer');
  expect(integers.length).toBeGreaterThan(4);
  const limits = integers.map(({ name, options }) => {
    const [, defaultValue, min, max] = /^(.+), \{ min: (\d+), max: (\d+) \}/.exec(options) ?? [];
    const isPlain = /^\d+$/.test(defaultValue ?? '');
    return { name, row: `${isPlain ? defaultValue : rows.get(name)?.split(' | ')[0]} | ${min} to ${max} |` };
  });
  expect(limits.filter(({ name, row }) => !rows.get(name)?.startsWith(row))).toEqual([]);
  const secrets = calls.filter(({ kind }) => kind === 'secret');
  expect(secrets.length).toBeGreaterThan(2);
  const wrongSecrets = secrets.filter(
    ({ name, options }) => !rows.get(name)?.includes(`| at least ${options} characters |`),
  );
  expect(wrongSecrets).toEqual([]);
  expect(rows.get('ROLE')).toContain('`all` | `all`, `api`, `worker` |');
  expect(rows.get('LOG_LEVEL')).toContain(
    '`info` | `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent` |',
  );
});

test('docs/operations/troubleshoot.md quotes messages that the service prints', () => {
  const text = read('docs/operations/troubleshoot.md');
  const tables = text.split('| message | what to do |').slice(1);
  const quotes = tables.flatMap((table) =>
    [...table.split('\n\n')[0]!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, quote]) => quote!),
  );
  expect(quotes.length).toBeGreaterThan(20);
  const sources = ['src', 'scripts']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => /\.(?:ts|mjs)$/.test(name))
    .map(read)
    .join('\n')
    // Some messages contain a constant, such as the lowest supported version.
    .replace(/\$\{nodeMajorMin\}/g, '24');
  const unknown = quotes.flatMap((quote) =>
    quote.split(/…|: /).filter((part) => part.trim().length > 4 && !sources.includes(part.trim())),
  );
  expect(unknown).toEqual([]);
});

test('compose.yaml creates the secret once and passes the variables of .env, and its commands keep the secret', async () => {
  const text = read('compose.yaml');
  const lines = [...text.matchAll(/^# {3}(.+)$/gm)].map((match) => match[1] as string);
  expect(lines).toHaveLength(3);
  const folder = await createTempDir(onTestFinished);
  const [makeSecret = '', ...others] = lines;
  const secrets = [1, 2].map(() => {
    execFileSync('sh', ['-ec', makeSecret], { cwd: folder });
    return readFileSync(join(folder, '.env'), 'utf8');
  });
  expect(secrets[0]).toMatch(/^APP_SECRET=\S{44}\n$/);
  expect(secrets[1]).toBe(secrets[0]);
  expect(others.join()).not.toContain('APP_SECRET');
  expect(text).toContain('env_file: [.env]');
  expect(read('.dockerignore').split('\n')).toContain('.env');
  // The time that docs/operations/run-several-processes.md recommends for an API process and a worker.
  expect(text).toContain('stop_grace_period: 30s');
});

test('guides explain to check the paid amount before delivery, and that any 2xx is a success', () => {
  const instruction = /check\s+`merchantAmount` and `merchantCurrency`/i;
  const pages = ['quick-start', 'checkout', 'webhooks'];
  expect(pages.filter((page) => !instruction.test(read(`docs/guides/${page}.md`)))).toEqual([]);
  expect(read('docs/reference/rest.md')).toContain('test for any 2xx');
});

test('docs/internals/conformance.md lists existing files, with the file and the test of each requirement', () => {
  const text = readFileSync(join(root, 'docs/internals/conformance.md'), 'utf8');
  const named = [...text.matchAll(/`(\w[\w./-]*\.(?:ts|tsx|mjs|md|graphql))`/g)].map(
    (match) => match[1] as string,
  );
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  const rows = [...text.matchAll(/^\| (?!requirement \||--- \|)(.+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(200);
  const untested = rows.filter(
    ([, , files, tests]) => !/^`\S+`/.test(files!) || !/^`test\/\S+\.test\.ts`/.test(tests!),
  );
  expect(untested.map(([, requirement]) => requirement)).toEqual([]);
  expect(text.match(/^\| /gm)).toHaveLength(rows.length + 2 * text.match(/^\| requirement /gm)!.length);
});

/** The anchor of a heading on GitHub. */
const getAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test.each(pages)('the relative links of %s have a target', (page) => {
  const links = [...read(page).matchAll(/(?:\]\(|src=")(?!https?:|mailto:)([^)\s"]+)/g)].map(
    (match) => match[1] as string,
  );
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    if (anchor === undefined || !target.endsWith('.md')) return false;
    const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map((match) => getAnchor(match[1] as string));
    return !headings.includes(anchor);
  });
  expect(broken).toEqual([]);
});

const shelves = readdirSync(join(root, 'docs'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && listDocs(join('docs', entry.name)).length > 0)
  .map(({ name }) => name);

test('README.md has at most 80 lines, and links every folder of docs and every page outside of the folders', () => {
  const text = read('README.md');
  expect(text.split('\n').length).toBeLessThanOrEqual(81);
  const pagesBesideShelves = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const missing = [...shelves, ...pagesBesideShelves].filter(
    (name) => !new RegExp(`\\(docs/${name}(?:/README\\.md)?\\)`).test(text),
  );
  expect(shelves.length).toBeGreaterThan(3);
  expect(missing).toEqual([]);
});

test.each(shelves)('the index of docs/%s links every page of its folder', (shelf) => {
  const index = read(`docs/${shelf}/README.md`);
  const shelfPages = readdirSync(join(root, 'docs', shelf)).flatMap((name) =>
    name.endsWith('.md') ? name : listDocs(join('docs', shelf, name)).length > 0 ? `${name}/README.md` : [],
  );
  expect(shelfPages.filter((page) => page !== 'README.md' && !index.includes(`(${page})`))).toEqual([]);
});

test('the index of decisions links every record', () => {
  const folder = 'docs/internals/decisions';
  const index = read(`${folder}/README.md`);
  const records = readdirSync(join(root, folder)).filter((name) => /^\d{4}-.+\.md$/.test(name));
  expect(records.length).toBeGreaterThan(30);
  expect(records.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test('every image is used on a page', () => {
  const text = pages.map(read).join('\n');
  const pictures = readdirSync(join(root, 'docs/images'));
  expect(pictures.filter((name) => !text.includes(`images/${name}`))).toEqual([]);
});

test('the index of each folder links all of its pages', () => {
  const indexes = listDocs('docs').filter((page) => page.endsWith('/README.md'));
  expect(indexes).toContain('docs/guides/README.md');
  const missing = indexes.flatMap((index) =>
    readdirSync(join(root, dirname(index)))
      .filter((name) => name.endsWith('.md') && name !== 'README.md' && !read(index).includes(`(${name})`))
      .map((name) => `${index}: ${name}`),
  );
  expect(missing).toEqual([]);
});

const ofNpm = ['ci', 'exec', 'audit', 'install', 'pack', 'view', 'ls', 'outdated'];

test.each(pages)('the commands that %s mentions exist', (page) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const text = read(page);
  const used = [...text.matchAll(/(?<=[`\n])npm (?:run )?(?:--silent )?([a-z][\w:-]*)/g)].map(
    (match) => match[1] as string,
  );
  expect(used.filter((name) => !(name in scripts) && !ofNpm.includes(name))).toEqual([]);
  const benches = [...text.matchAll(/npm run bench -- ([\w-]+)/g)].map((match) => `bench/${match[1]}.ts`);
  expect(benches.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const files = [...text.matchAll(/npm test -- (test\/\S+?)[`\s#]/g)].map((match) => match[1] as string);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const mentioned = [...text.matchAll(/causeway -- ([a-z]+(?: [a-z][a-z-]*)?)/g)].map(
    (match) => match[1] as string,
  );
  const commandNames = commands.map(({ words }) => words.join(' '));
  expect(mentioned.filter((line) => !commandNames.some((name) => `${line} `.startsWith(`${name} `)))).toEqual(
    [],
  );
});

test('docs/internals/performance.md shows the command of every benchmark', () => {
  const text = read('docs/internals/performance.md');
  const benchmarks = readdirSync(join(root, 'bench')).filter((name) => /^(?!run\.).+\.ts$/.test(name));
  expect(benchmarks.length).toBeGreaterThan(10);
  const missing = benchmarks.filter((name) => !text.includes(`npm run bench -- ${name.replace('.ts', '')}`));
  expect(missing).toEqual([]);
});

test('figures that other pages quote with the command of a benchmark are those of performance.md', () => {
  const measured = read('docs/internals/performance.md').split(/^## /m);
  const listStrays = (text: string) =>
    [...text.matchAll(/^\| [^|]+ \| ([^|]+) \| `npm run bench -- ([\w-]+)` \|$/gm)].flatMap(
      ([, figure = '', bench]) => {
        const section = measured.find((candidate) => candidate.includes(`npm run bench -- ${bench}`)) ?? '';
        const numbers = figure.match(/\d[\d,.]*/g) ?? [];
        return numbers.filter((number) => !new RegExp(`(?<![\\d,.])${number}(?![\\d,])`).test(section));
      },
    );
  expect(listStrays('| what | 9,999.9 a second | `npm run bench -- transfers` |')).toEqual(['9,999.9']);
  expect(pages.flatMap((page) => listStrays(read(page)))).toEqual([]);
});
