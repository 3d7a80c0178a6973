import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { clientTypesFolder, renderClientTypes } from '../../scripts/client-types.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** A project of a merchant, in which the built package is installed. */
const test = graphqlTest.extend('project', { scope: 'file' }, async ({ onFileCleanup }) => {
  const folder = await createTempDir(onFileCleanup);
  const target = join(folder, 'node_modules/causeway-client');
  const { files } = JSON.parse(await readFile(join(root, 'packages/client/package.json'), 'utf8'));
  await run(process.execPath, [tsc, '-p', 'packages/client', '--outDir', join(target, 'dist')], {
    cwd: root,
  });
  for (const file of ['package.json', ...files.filter((name: string) => name !== 'dist')])
    await cp(join(root, 'packages/client', file), join(target, file));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
});

test('the generated types are those of the contracts', async () => {
  for (const [name, text] of Object.entries(await renderClientTypes(schema)))
    expect(await readFile(new URL(name, clientTypesFolder), 'utf8'), 'Run npm run schema').toBe(text);
});

test('the client has a method for every operation of the OpenAPI document', async ({ app }) => {
  const { paths } = (await app.app.inject('/openapi.json')).json();
  const operations: string[] = Object.values<object>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const client = await readFile(join(root, 'packages/client/src/client.ts'), 'utf8');
  // A file is not described by a type.
  const downloads = ['getStatementFile', 'getExportFile'];
  expect(operations.length).toBeGreaterThan(25);
  const missing = operations.filter((id) => !downloads.includes(id) && !client.includes(`('${id}', `));
  expect(missing.filter((id) => !client.includes(`'${id}',\n`))).toEqual([]);
});

test('the package has no dependencies, and its files import nothing but each other', async ({ project }) => {
  const folder = join(project, 'node_modules/causeway-client');
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  const names = await readdir(join(folder, 'dist'), { recursive: true });
  const files = names.filter((name) => /\.(?:js|d\.ts)$/.test(name));
  expect(files.length).toBeGreaterThan(30);
  for (const name of files) {
    const text = await readFile(join(folder, 'dist', name), 'utf8');
    const imports = [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, target]) => target!);
    expect(imports.filter((target) => !/^\.{1,2}\/.+\.(?:js|ts)$/.test(target))).toEqual([]);
    expect(text).not.toMatch(/'node:|\bprocess\.|\bBuffer\b/);
  }
});

test('the built package creates a session and verifies a webhook in plain Node', async ({ app, project }) => {
  await writeFile(
    join(project, 'shop.js'),
    `import { Causeway, signWebhook, verifyWebhook } from 'causeway-client';
     import { receiveWithNext } from 'causeway-client/next';
     const { URL: url, KEY: key, SECRET: secret } = process.env;
     const causeway = new Causeway({ url, key, secret });
     const session = await causeway.sessions.create({ amount: 5, currency: 'HKD' });
     const me = await causeway.graphql('{ me { mode } }');
     const credentials = { username: 'shop', password: 'sesame' };
     const signed = await signWebhook({ message: 'charge_expired', payload: { chargeId: 'ch_1' }, ...credentials });
     const event = await verifyWebhook({ ...signed, ...credentials });
     const post = receiveWithNext({ ...credentials, onEvent() {} });
     const { status } = await post(new Request('https://shop.example', { method: 'POST', ...signed }));
     console.log(JSON.stringify([session.status, me, event.message, status]));`,
  );
  const { apiKey, apiSecret } = app.merchant.keys.sandbox;
  const env = { URL: app.url, KEY: apiKey, SECRET: apiSecret };
  const { stdout } = await run(process.execPath, ['shop.js'], { cwd: project, env });
  expect(JSON.parse(stdout)).toEqual(['created', { me: { mode: 'sandbox' } }, 'charge_expired', 204]);
});

test('the samples of the guide and of the README compile against the built package', async ({ project }) => {
  for (const page of ['docs/guides/client.md', 'packages/client/README.md']) {
    const text = await readFile(join(root, page), 'utf8');
    const samples = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
    expect(samples.length).toBeGreaterThan(1);
    const declaration = "import { Causeway } from 'causeway-client';\ndeclare const causeway: Causeway;\n";
    await Promise.all(
      samples.map((code, i) => {
        const head = /\bconst causeway\b/.test(code) || !/\bcauseway\./.test(code) ? '' : declaration;
        const name = `${page.replaceAll(/\W/g, '-')}-${i}.ts`;
        return writeFile(join(project, name), `${head}${code}\nexport {};\n`);
      }),
    );
  }
  // Types that resolve to any would accept this too.
  const wrong = `import { Causeway } from 'causeway-client';
    declare const causeway: Causeway;
    // @ts-expect-error a session needs a currency
    void causeway.sessions.create({ amount: 1 });
    // @ts-expect-error the status of a charge is text
    void causeway.charges.get('ch_1').then(({ status }) => status.toFixed());`;
  await writeFile(join(project, 'wrong.ts'), wrong);
  await symlink(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'));
  await symlink(join(root, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'));
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['esnext', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch((error) => error);
  expect(stdout).toBe('');
});
