import type { Mode } from '../../prisma/client/client.ts';
import type { Assets } from './assets.ts';
import { type Html, html, raw } from './html.ts';
import { languages } from './languages.ts';
import type { Reader } from './reader.ts';

/** One page in one state, without what all pages share. */
export type Page = {
  /** Of HTTP. */
  status: number;
  title: string;
  main: Html;
  /** The time by which it counts down, where that is not the machine's. */
  now?: Date;
  /** Changes exactly when an open page must be shown anew. */
  state?: string;
  /** Address of the events that tell the state. */
  live?: string | undefined;
  /** Whether the page's script takes the session for this browser once the page is seen. */
  claims?: boolean;
  mode?: Mode;
  /** Made from accounts that do not exist. */
  demo?: boolean;
};

/**
 * The frame of every customer page. `now` is the server's clock, by which the script counts down. Scripts give way to
 * what is painted first.
 */
export function layout(
  page: Page,
  options: {
    reader: Reader;
    assets: Assets;
    now: Date;
    /** The page's own address in another language. */
    addressIn: (language: string) => string;
  },
): Html {
  const { reader, assets } = options;
  const { strings } = reader;
  const script = 'main.ts';
  return html`<!doctype html>
<html lang="${reader.code}" data-locale="${reader.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">
<style>${raw(assets.style.text)}</style>
${assets.importsOf(script).map((path) => html`<link rel="modulepreload" href="${path}" fetchpriority="low">`)}
<script type="module" src="${assets.pathOf(script)}" fetchpriority="low"></script>
</head>
<body>
<a class="skip" href="#main">${strings.page.skip}</a>
${banner(page, reader)}
<main id="main" tabindex="-1" data-now="${options.now.getTime()}" data-state="${page.state ?? ''}"
${page.live !== undefined && html` data-live="${page.live}"`}${page.claims && html` data-claims`}>
${page.main}
</main>
<footer>
<p>${strings.page.footer}</p>
${languageLinks(options)}
</footer>
<div id="announce" class="unseen" role="status"></div>
</body>
</html>
`;
}

/** Says plainly that no real money moves. */
function banner(page: Page, { strings }: Reader): Html | undefined {
  const { sandbox, sandboxText, demo, demoText } = strings.page;
  if (page.mode === 'sandbox') {
    return html`<aside class="banner" aria-label="${sandbox}"><strong>${sandbox}${page.demo && html` · ${demo}`}</strong> ${sandboxText}</aside>`;
  }
  if (page.demo) {
    return html`<aside class="banner" aria-label="${demo}"><strong>${demo}</strong> ${demoText}</aside>`;
  }
  return undefined;
}

function languageLinks(options: {
  reader: Reader;
  addressIn: (language: string) => string;
}): Html | undefined {
  const others = Object.entries(languages);
  if (others.length < 2) return undefined;
  return html`<nav aria-label="${options.reader.strings.language.choose}"><ul>${others.map(
    ([code, strings]) => {
      const current = code === options.reader.code;
      return html`<li><a href="${options.addressIn(code)}" lang="${code}" hreflang="${code}"${current && html` aria-current="true"`}>${strings.language.name}</a></li>`;
    },
  )}</ul></nav>`;
}
