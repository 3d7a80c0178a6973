import type { Merchant, Mode } from '../../prisma/client/client.ts';
import { getDisplayName, toLogo } from '../kit/brand.ts';
import { fillText } from '../language/fill-text.ts';
import { languages } from '../language/languages.ts';
import type { Assets } from './assets.ts';
import { brandStyle } from './brand-style.ts';
import { type Html, html, raw } from './html.ts';
import type { PageI18n } from './i18n.ts';
import { brandMark, merchantName } from './parts/summary.ts';

/** The content of a page, without the common layout. */
export type PageContent = {
  status: number;
  title: string;
  main: Html;
  /** The time that the countdown uses; defaults to the system time. A sandbox with a test clock has its own time. */
  now?: Date;
  /** A key that changes exactly when an open page must be reloaded. */
  stateKey?: string;
  /** The URL of the event stream that reports a new `stateKey`. */
  eventsUrl?: string | undefined;
  /**
   * Whether the page's script claims the checkout session for this browser as soon as the page is visible, so
   * that no other browser can use the session.
   */
  claimsSession?: boolean;
  /** The page reloads after this time. */
  retrySeconds?: number;
  mode?: Mode;
  /** The merchant whose contact and terms the page links to. */
  merchant?: Merchant;
  /** Whether the receiving accounts are fictional. */
  demo?: boolean;
};

/** Scripts have a low fetch priority, so that they do not delay the first paint. */
export function layout(
  page: PageContent,
  options: {
    i18n: PageI18n;
    assets: Assets;
    publicUrl: string;
    now: Date;
    /** Returns the page's own URL in another language. */
    toLanguageUrl: (language: string) => string;
  },
): Html {
  const { i18n, assets } = options;
  const { strings } = i18n;
  const script = 'main.ts';
  const brandCss = brandStyle(page.merchant);
  return html`<!doctype html>
<html lang="${i18n.code}" data-locale="${i18n.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${page.retrySeconds !== undefined && html`<meta http-equiv="refresh" content="${String(page.retrySeconds)}">`}
<title>${page.title}</title>
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${strings.page.description}">
<meta property="og:type" content="website">
<meta property="og:locale" content="${i18n.locale.replaceAll('-', '_')}">
${page.merchant && html`<meta property="og:site_name" content="${getDisplayName(page.merchant)}">`}
${previewImage(page, options.publicUrl)}
<link rel="icon" href="${assets.getPath('icon.svg')}" type="image/svg+xml">
<style>${raw(assets.style.text)}</style>
${brandCss !== undefined && html`<style>${raw(brandCss)}</style>`}
${assets.getImports(script).map((path) => html`<link rel="modulepreload" href="${path}" fetchpriority="low">`)}
<script type="module" src="${assets.getPath(script)}" fetchpriority="low"></script>
</head>
<body>
<a class="skip" href="#main">${strings.page.skip}</a>
${banner(page, i18n)}
<main id="main" tabindex="-1" data-now="${options.now.getTime()}" data-state="${page.stateKey ?? ''}"
${page.eventsUrl !== undefined && html` data-events-url="${page.eventsUrl}"`}${page.claimsSession && html` data-claims-session`}>
${page.merchant && html`<p class="brand">${brandMark(page.merchant)} ${merchantName(page.merchant)}</p>`}
${page.main}
</main>
<footer>
${page.merchant && merchantLinks(page.merchant, i18n)}
<p>${strings.page.footer}</p>
${languageLinks(options)}
</footer>
<div id="announce" class="visually-hidden" role="status"></div>
</body>
</html>
`;
}

/** The logo is the picture of a shared link. Messengers require an absolute URL. */
function previewImage({ merchant }: PageContent, publicUrl: string): Html | undefined {
  const logo = merchant && toLogo(merchant.logo);
  return (
    logo &&
    html`<meta property="og:image" content="${publicUrl}${logo.path}">
<meta property="og:image:width" content="${logo.width}">
<meta property="og:image:height" content="${logo.height}">`
  );
}

function merchantLinks(merchant: Merchant, { strings }: PageI18n): Html | undefined {
  const { contact, terms, privacy } = strings.page;
  const { supportEmail, termsUrl, privacyUrl } = merchant;
  const links = [
    supportEmail &&
      html`<li><a href="mailto:${supportEmail}">${fillText(contact, { merchant: getDisplayName(merchant) })}</a></li>`,
    termsUrl && html`<li><a href="${termsUrl}">${terms}</a></li>`,
    privacyUrl && html`<li><a href="${privacyUrl}">${privacy}</a></li>`,
  ].filter((link) => link !== '');
  return links.length === 0 ? undefined : html`<ul>${links}</ul>`;
}

/** Sandbox and demo pages say that no real money moves. */
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
