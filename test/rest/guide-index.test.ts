import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { appTest as test } from '../setup/app-fixtures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('/llms.txt and /llms.json list every guide and contract, and every link in them and in the guides has a target', async ({
  app,
  service,
}) => {
  const { publicUrl } = service.settings;
  const get = (url: string) => app.app.inject(url.replace(publicUrl, ''));
  const text = await get('/llms.txt');
  const json = await get('/llms.json');
  expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text.body).toMatch(/^# Causeway\n\n> .+\n\n.+\n\n## Contracts\n\n- \[/);

  const { guides, contracts } = json.json() as Record<
    string,
    { url: string; title: string; description: string }[]
  >;
  const pages = ['guides', 'reference', 'operations'].flatMap((folder) =>
    readdirSync(`${root}/docs/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  expect(guides!.map(({ url }) => url.replace(`${publicUrl}/llms/`, '')).sort()).toEqual(pages.sort());
  // The other contracts are described by pages of the reference.
  expect(contracts!.map(({ url }) => url.replace(`${publicUrl}/`, ''))).toEqual([
    'openapi.json',
    'schema.graphql',
  ]);
  const listed = [...text.body.matchAll(/^- \[(.+)\]\((\S+)\): (.+)$/gm)].map(
    ([, title, url, description]) => ({
      ...{ title, url, description },
    }),
  );
  expect(listed).toEqual(
    [...contracts!, ...guides!].map(({ title, url, description }) => ({ title, url, description })),
  );

  const broken: string[] = [];
  for (const { url } of listed) {
    const response = await get(url!);
    const isGuide = url!.endsWith('.md');
    if (response.statusCode !== 200) broken.push(url!);
    if (!isGuide) continue;
    expect(response.headers['content-type']).toBe('text/markdown; charset=utf-8');
    for (const [, href] of response.body.matchAll(/\]\((?!https?:|#)([^)\s#]+)[^)\s]*\)/g)) {
      const { href: target } = new URL(href!, url);
      if (!listed.some((item) => item.url === target)) broken.push(`${url}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
  expect((await get('/llms/guides/none.md')).statusCode).toBe(404);
  expect((await get('/llms/..%2fpackage.json')).statusCode).toBe(404);
});
