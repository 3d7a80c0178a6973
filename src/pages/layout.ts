import type { Mode } from '../../prisma/client/client.ts';
import type { Assets } from './assets.ts';
import { type Html, html, raw } from './html.ts';
import type { PageI18n } from './i18n.ts';
import { languages } from './languages.ts';

/** One page in one state, without the common frame. */
export type PageContent = {
  /** HTTP status. */
  status: number;
  title: string;
  main: Html;
  /** The time from which the countdown starts, if it is not the system time. */
  now?: Date;
  /** A key that changes exactly when an open page must be reloaded. */
  state?: string;
  /** URL of the event stream with state changes. */
  live?: string | undefined;
  /** Whether the page's script claims the session for this browser when the page becomes visible. */
  claimsSession?: boolean;
  mode?: Mode;
  /** Whether the receiving accounts are fictional. */
  demo?: boolean;
};

/**
 * Renders the common frame of the customer pages. `now` is the server time that the countdown uses. Scripts
 * have a low fetch priority, so that they do not delay the first paint.
 */
export function layout(
  page: PageContent,
  options: {
    i18n: PageI18n;
    assets: Assets;
    now: Date;
    /** Returns the page's own URL in another language. */
    toLanguageUrl: (language: string) => string;
  },
): Html {
  const { i18n, assets } = options;
  const { strings } = i18n;
  const script = 'main.ts';
  return html`<!doctype html>
<html lang="${i18n.code}" data-locale="${i18n.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="icon" href="${assets.getPath('icon.svg')}" type="image/svg+xml">
<style>${raw(assets.style.text)}</style>
${assets.getImports(script).map((path) => html`<link rel="modulepreload" href="${path}" fetchpriority="low">`)}
<script type="module" src="${assets.getPath(script)}" fetchpriority="low"></script>
</head>
<body>
<a class="skip" href="#main">${strings.page.skip}</a>
${banner(page, i18n)}
<main id="main" tabindex="-1" data-now="${options.now.getTime()}" data-state="${page.state ?? ''}"
${page.live !== undefined && html` data-live="${page.live}"`}${page.claimsSession && html` data-claims`}>
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

/** Renders the notice that no real money moves. */
function banner(page: PageContent, { strings }: PageI18n): Html | undefined {
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
  i18n: PageI18n;
  toLanguageUrl: (language: string) => string;
}): Html | undefined {
  const entries = Object.entries(languages);
  if (entries.length < 2) return undefined;
  return html`<nav aria-label="${options.i18n.strings.language.choose}"><ul>${entries.map(
    ([code, strings]) => {
      const isCurrent = code === options.i18n.code;
      return html`<li><a href="${options.toLanguageUrl(code)}" lang="${code}" hreflang="${code}"${isCurrent && html` aria-current="true"`}>${strings.language.name}</a></li>`;
    },
  )}</ul></nav>`;
}
