import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { changeAgendash } from './agendash-changes.ts';

type JobDashboard = {
  html: string;
  /** The files of the page by name, with media type and content. */
  files: Record<string, { type: string; content: string }>;
  /** The searched texts and patterns that Agendash’s script does not contain, so that they were not replaced. */
  unmatchedChanges: string[];
};

const header = `<header class="causeway-header">
  <a class="causeway-skip" href="#jobs">Skip to the jobs</a>
  <a href="/dashboard/jobs">← Dashboard</a>
  <h1>Job dashboard</h1>
</header>`;

/** Returns the page of Agendash with our changes to its script, and our header, style sheet and script. */
export async function loadJobDashboard(): Promise<JobDashboard> {
  const agendash = join(createRequire(import.meta.url).resolve('agendash'), '../../public');
  const html = await readFile(join(agendash, 'index.html'), 'utf8');
  const scriptPath = html.match(/\.\/assets\/[^"]+\.js/)![0];
  const [script, names, css, js] = await Promise.all([
    readFile(join(agendash, scriptPath), 'utf8'),
    readFile(new URL('./job-names.js', import.meta.url), 'utf8'),
    readFile(new URL('./page.css', import.meta.url), 'utf8'),
    readFile(new URL('./page.js', import.meta.url), 'utf8'),
  ]);
  const { script: changedScript, unmatchedChanges } = changeAgendash(script);
  const head = `<link rel="stylesheet" href="./causeway.css">
    <script type="module" src="./causeway.js"></script>
    </head>`;
  return {
    html: html
      .replace('<title>Agendash</title>', '<title>Job dashboard · Causeway</title>')
      .replace(scriptPath, './agendash.js')
      .replace('</head>', () => head)
      .replace('<body>', () => `<body>\n${header}`),
    files: {
      'agendash.js': { type: 'text/javascript', content: changedScript },
      'job-names.js': { type: 'text/javascript', content: names },
      'causeway.css': { type: 'text/css', content: css },
      'causeway.js': { type: 'text/javascript', content: js },
    },
    unmatchedChanges,
  };
}
