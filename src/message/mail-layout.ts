import type { Logo } from '../kit/brand.ts';
import { toBrandColors } from '../kit/brand-colors.ts';

/** The parts of an email as escaped HTML. */
type MailParts = {
  language: string;
  title: string;
  sender: string;
  body: string;
  footer: string;
  /** The merchant's logo, which is attached when the email is sent. */
  logo: Logo | undefined;
  /** The merchant's color; empty for the default. */
  color: string;
};

/** The Content-ID of the attached logo. */
export const logoContentId = 'logo';
/** The height of the logo in pixels, as on the customer pages. */
const logoHeight = 40;

/**
 * Returns the HTML of an email: one column for phones and desktops, with light and dark colors. The email loads no
 * external resources, and stays readable in email clients that drop the style element.
 */
export function mailLayout(parts: MailParts): string {
  const { language, title, sender, body, footer, logo, color } = parts;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${style}${color === '' ? '' : toBrandStyle(color)}</style>
</head>
<body>
<table role="presentation" class="page"><tr><td>
<div class="sheet">
${logo ? logoImage(logo) : ''}<p class="sender">${sender}</p>
<h1>${title}</h1>
${body}
<div class="foot">
${footer}
</div>
</div>
</td></tr></table>
</body>
</html>
`;
}

function logoImage({ width, height }: Logo): string {
  const shownWidth = Math.round((width * logoHeight) / height);
  return `<p><img class="logo" src="cid:${logoContentId}" alt="" width="${shownWidth}" height="${logoHeight}"></p>\n`;
}

function toBrandStyle(color: string): string {
  const { button, buttonText, light, dark } = toBrandColors(color);
  const buttonStyle = `.button { background: ${button}; color: ${buttonText}; border: 1px solid ${light.accent}; }`;
  return `a { color: ${light.accent}; } ${buttonStyle} @media (prefers-color-scheme: dark) { a { color: ${dark.accent}; } ${buttonStyle} }`;
}

/** The colors match the customer pages. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 0; background: #f4f5f3; color: #17211e; -webkit-text-size-adjust: 100%;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Thai", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", Helvetica, Arial, sans-serif; }
.page { width: 100%; border-collapse: collapse; }
.page > tbody > tr > td { padding: 24px 12px; }
.sheet { box-sizing: border-box; max-width: 560px; margin: 0 auto; padding: 28px; border: 1px solid #dfe4e1; border-radius: 12px; background: #ffffff; overflow-wrap: break-word; }
.logo { border-radius: 8px; background: #ffffff; }
.sender { margin: 0 0 4px; color: #55625d; font-size: 14px; }
h1 { margin: 0 0 20px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
a { color: #0e6b5c; }
.action { margin: 24px 0; }
.button { display: inline-block; padding: 12px 20px; border-radius: 8px; background: #0e6b5c; color: #ffffff; font-weight: 600; text-decoration: none; }
.code { padding: 14px 16px; border-radius: 8px; background: #f4f5f3; font: 600 24px/1.3 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 2px; }
.facts { width: 100%; margin: 0 0 20px; border-collapse: collapse; }
.facts th, .facts td { padding: 8px 0; border-bottom: 1px solid #dfe4e1; text-align: start; vertical-align: top; font-weight: 400; }
.facts th { width: 32%; padding-right: 16px; color: #55625d; }
.facts td { font-weight: 600; overflow-wrap: anywhere; }
.foot { color: #55625d; font-size: 13px; }
.foot p { margin: 12px 0 0; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1412; color: #ecf2ef; }
  .sheet { background: #17201d; border-color: #2c3a35; }
  .sender, .foot, .facts th { color: #a4b3ad; }
  .facts th, .facts td { border-color: #2c3a35; }
  .code { background: #0e1412; }
  a { color: #6fd6bd; }
  .button { background: #6fd6bd; color: #06251e; }
}
`.replaceAll('\n', ' ');
