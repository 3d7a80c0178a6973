import { execFile, spawnSync } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { basicAuth } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { isLongRun } from '../setup/counts.ts';
import { seedMerchant } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';

/** The generators, with a lockfile of their own, and a program for each generated client. */
const folder = fileURLToPath(new URL('../generated-clients', import.meta.url));
const openApiPythonClient = 'openapi-python-client==0.29.1';
const openApiGenerator = 'org.openapitools:openapi-generator-cli:7.25.0';

/** The installed generators: a `node_modules`, and the `bin` of a Python environment. `.ci/run` installs both. */
const { TYPESCRIPT_GENERATORS, PYTHON_GENERATOR } = process.env;

const isPresent = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasPython =
  PYTHON_GENERATOR !== undefined || (isLongRun && isPresent('python3', '-c', 'import ensurepip, venv'));
const hasJava = isLongRun && isPresent('java', '-version') && isPresent('mvn', '-version');

/** The result of every client: it creates two charges, cancels one, completes and refunds the other, and lists both. */
const expectedResult = {
  created: 'pending',
  cancelled: true,
  completed: 'completed',
  refunded: 20.5,
  statuses: ['cancelled', 'completed'],
  hashLength: 64,
};

/** Starts a service, and copies its document and the programs to a temporary directory in which commands run. */
async function startWorkspace() {
  const app = await setupApp(onTestFinished);
  const { keys } = await seedMerchant(app.context.service, {}, new Date());
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const cwd = await createTempDir(onTestFinished);
  await cp(folder, cwd, { recursive: true });
  if (TYPESCRIPT_GENERATORS) await symlink(TYPESCRIPT_GENERATORS, join(cwd, 'node_modules'));
  await writeFile(join(cwd, 'openapi.json'), (await app.app.inject('/openapi.json')).body);
  const bin = [
    join(cwd, 'node_modules/.bin'),
    PYTHON_GENERATOR ?? join(cwd, 'venv/bin'),
    process.env.PATH,
  ].join(delimiter);
  const env = {
    ...process.env,
    PATH: bin,
    PYTHONPATH: join(cwd, 'generated'),
    CAUSEWAY_URL: url,
    CAUSEWAY_AUTHORIZATION: basicAuth(keys.sandbox),
  };
  return async (program: string, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1 << 26 }).catch(
      (error) => {
        throw new Error(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
      },
    );
    return stdout;
  };
}

test.runIf(isLongRun || TYPESCRIPT_GENERATORS)(
  'The clients of openapi-typescript, hey-api and orval compile and work',
  { timeout: 600_000 },
  async () => {
    const run = await startWorkspace();
    if (!TYPESCRIPT_GENERATORS) await run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
    await run('openapi-typescript', 'openapi.json', '-o', 'generated/openapi-typescript.ts');
    await run('openapi-ts', '-i', 'openapi.json', '-o', 'generated/hey-api');
    await run('orval', '--config', 'orval.config.ts');
    await run('tsc', '-p', '.');
    for (const program of ['openapi-fetch.ts', 'hey-api.ts', 'orval.ts'])
      expect([program, JSON.parse(await run('tsx', program))]).toEqual([program, expectedResult]);
  },
);

test.runIf(hasPython)('The client of openapi-python-client works', { timeout: 300_000 }, async () => {
  const run = await startWorkspace();
  if (!PYTHON_GENERATOR) {
    await run('python3', '-m', 'venv', 'venv');
    await run('pip', 'install', '--quiet', '--disable-pip-version-check', openApiPythonClient);
  }
  const warnings = await run(
    'openapi-python-client',
    'generate',
    '--path',
    'openapi.json',
    '--output-path',
    'generated',
    '--fail-on-warning',
  );
  expect(warnings).not.toContain('WARNING');
  expect(JSON.parse(await run('python3', 'client.py'))).toEqual(expectedResult);
});

test.runIf(hasJava)(
  'The Java client of OpenAPI Generator compiles and works',
  { timeout: 600_000 },
  async () => {
    const run = await startWorkspace();
    const artifact = [
      'dependency:copy',
      `-Dartifact=${openApiGenerator}`,
      '-DoutputDirectory=.',
      '-Dmdep.stripVersion=true',
    ];
    await run('mvn', '-q', ...artifact);
    const options = [
      '--library',
      'native',
      '--global-property',
      'apis,models,supportingFiles,apiTests=false,modelTests=false',
    ];
    await run(
      'java',
      '-jar',
      'openapi-generator-cli.jar',
      'generate',
      '-g',
      'java',
      '-i',
      'openapi.json',
      '-o',
      'generated',
      ...options,
    );
    await run('cp', 'Client.java', 'generated/src/main/java');
    await run(
      'mvn',
      '-q',
      '-f',
      'generated',
      'compile',
      'dependency:build-classpath',
      '-Dmdep.outputFile=../classpath',
    );
    const classpath = `generated/target/classes:${await run('cat', 'classpath')}`;
    expect(JSON.parse(await run('java', '-cp', classpath, 'Client'))).toEqual(expectedResult);
  },
);
