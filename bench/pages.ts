/**
 * Runs Lighthouse on the pages of the checkout. Lighthouse's mobile profile simulates a slow phone on a slow network.
 *   npm run bench -- pages [--rounds 3] [--languages en,th,…]
 * The first run downloads Lighthouse from the npm registry, because Lighthouse is too large to be a dependency.
 */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import { createClientToken } from '../src/domain/payments/customer-page/page-tokens.ts';
import { createSession } from '../src/domain/payments/session/create-session.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { launchChromium } from '../test/setup/chromium.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount, readOption } from './support/benchmark.ts';
import { proxyDevtools } from './support/devtools-proxy.ts';
import { median, printTable } from './support/table.ts';

const lighthousePackage = 'lighthouse@13.5.0';
const categories = ['performance', 'accessibility', 'best-practices'] as const;
/** Lighthouse's IDs of the audits in the table, by column header. */
const auditIds = {
  'first paint, ms': 'first-contentful-paint',
  'largest paint, ms': 'largest-contentful-paint',
  'blocked, ms': 'total-blocking-time',
  'layout shift': 'cumulative-layout-shift',
  'bytes loaded': 'total-byte-weight',
};

type LighthouseReport = {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>;
};

export const benchmark: Benchmark = async (options) => {
  const rounds = readCount(options, 'rounds', 3);
  const languages = readOption(options, 'languages')?.split(',') ?? ['en'];
  await using database = await openBenchDatabase('pages');
  const browserPort = await findFreePort();
  await using _browser = await launchChromium([`--remote-debugging-port=${browserPort}`]);
  using devtools = await proxyDevtools(browserPort);
  await using app = await startBenchService({ connectionString: database.connectionString, role: 'all' });
  await using folder = await mkdtempDisposable(join(tmpdir(), 'causeway-lighthouse-'));
  const rows = [];
  const pages = Object.entries(await createPages(database.service));
  const variants = languages.flatMap((lang) =>
    pages.map(([name, path]) => ({ name: `${name} (${lang})`, path: `${path}&lang=${lang}` })),
  );
  for (const { name, path } of variants) {
    const file = join(folder.path, `${name}.json`);
    const reports: LighthouseReport[] = [];
    for (let round = 0; round < rounds; round++) {
      reports.push(await measure(app.url + path, { port: devtools.port, file }));
    }
    rows.push({ page: name, ...toRow(reports) });
    printFailedAudits(reports[0]!);
  }
  printTable(rows);
};

/**
 * Creates a session and a charge. Returns the paths of the session's choice of methods and the charge's instructions.
 */
async function createPages(service: Service): Promise<Record<string, string>> {
  const now = new Date();
  const input = { name: 'Harbour Teas', hasDemoAccounts: true, restrictedAccess: 'granted' } as const;
  const { merchant } = await createMerchant(service, { input, now });
  const context = { merchant, mode: 'live', actor: 'job:script', now } as const;
  const orders = [{ name: 'Dragon Well', quantity: 2, amount: 86.4 }];
  const session = await createSession(service, {
    ...context,
    input: { amount: 86.4, currency: 'USD', orders },
  });
  const { charge } = await createCharge(service, {
    ...context,
    input: { merchantAmount: 86.4, merchantCurrency: 'USD', method: 'fps', email: 'mei@example.com', orders },
  });
  return {
    choose: `/checkout?sessionId=${session.id}`,
    pay: `/checkout?charge=${createClientToken(service.secrets, charge)}`,
  };
}

async function measure(
  url: string,
  { port, file }: { port: number; file: string },
): Promise<LighthouseReport> {
  const command = ['exec', '--yes', `--package=${lighthousePackage}`, '--', 'lighthouse', url];
  const flags = [
    `--port=${port}`,
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    `--only-categories=${categories.join(',')}`,
  ];
  // Lighthouse requires a recent Node.js, so it runs on the Node.js that runs this benchmark.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  await promisify(execFile)('npm', [...command, ...flags], { env });
  return JSON.parse(await readFile(file, 'utf8')) as LighthouseReport;
}

function toRow(reports: LighthouseReport[]): Record<string, number> {
  const medianBy = (read: (report: LighthouseReport) => number) => median(reports.map(read));
  return {
    ...Object.fromEntries(
      categories.map((name) => [name, medianBy((report) => (report.categories[name]?.score ?? 0) * 100)]),
    ),
    ...Object.fromEntries(
      Object.entries(auditIds).map(([name, id]) => [
        name,
        medianBy((report) => report.audits[id]?.numericValue ?? Number.NaN),
      ]),
    ),
  };
}

function printFailedAudits(report: LighthouseReport): void {
  for (const [id, { score, title }] of Object.entries(report.audits)) {
    if (score !== null && score < 0.9) console.log(`${id} (${score}): ${title}`);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
