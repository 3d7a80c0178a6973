import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export type DashboardPage = { html: string; css: string; js: string };

const header = `<header class="causeway-header">
  <a href="/dashboard/jobs">← Dashboard</a>
  <h1>Job dashboard</h1>
</header>`;

/** Returns the page of Agendash with our header, style sheet and script. */
export async function loadDashboardPage(): Promise<DashboardPage> {
  const agendash = createRequire(import.meta.url).resolve('agendash');
  const [html, css, js] = await Promise.all([
    readFile(join(agendash, '../../public/index.html'), 'utf8'),
    readFile(new URL('./page.css', import.meta.url), 'utf8'),
    readFile(new URL('./page.js', import.meta.url), 'utf8'),
  ]);
  const head = `<link rel="stylesheet" href="./causeway.css">
    <script type="module" src="./causeway.js"></script>
    </head>`;
  return {
    html: html
      .replace('<title>Agendash</title>', '<title>Job dashboard · Causeway</title>')
      .replace('</head>', () => head)
      .replace('<body>', () => `<body>\n${header}`),
    css,
    js,
  };
}
