/** The parts of a mail as HTML, escaped already. */
export type MailParts = { language: string; title: string; sender: string; body: string; foot: string };

/**
 * The one layout of all mails: a column that fits phones and desktops, in the reader's light or dark. It loads nothing.
 * Programs that drop the style element show plain, readable HTML.
 */
export function mailLayout({ language, title, sender, body, foot }: MailParts): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<table role="presentation" class="page"><tr><td>
<div class="sheet">
<p class="sender">${sender}</p>
<h1>${title}</h1>
${body}
<div class="foot">
${foot}
</div>
</div>
</td></tr></table>
</body>
</html>
`;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 0; background: #f3f4f6; color: #1b2430; -webkit-text-size-adjust: 100%;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Thai", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", Helvetica, Arial, sans-serif; }
.page { width: 100%; border-collapse: collapse; }
.page > tbody > tr > td { padding: 24px 12px; }
.sheet { box-sizing: border-box; max-width: 560px; margin: 0 auto; padding: 28px; border: 1px solid #dfe3e8; border-radius: 12px; background: #ffffff; overflow-wrap: anywhere; }
.sender { margin: 0 0 4px; color: #55606e; font-size: 14px; }
h1 { margin: 0 0 20px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
a { color: #0b5cad; }
.action { margin: 24px 0; }
.button { display: inline-block; padding: 12px 20px; border-radius: 8px; background: #0b5cad; color: #ffffff; font-weight: 600; text-decoration: none; }
.code { padding: 14px 16px; border-radius: 8px; background: #f3f4f6; font: 600 24px/1.3 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 2px; }
.facts { width: 100%; margin: 0 0 20px; border-collapse: collapse; }
.facts th, .facts td { padding: 8px 0; border-bottom: 1px solid #dfe3e8; text-align: start; vertical-align: top; font-weight: 400; }
.facts th { padding-right: 16px; color: #55606e; }
.facts td { font-weight: 600; }
.foot { color: #55606e; font-size: 13px; }
.foot p { margin: 12px 0 0; }
@media (prefers-color-scheme: dark) {
  body { background: #11161d; color: #e6eaf0; }
  .sheet { background: #1a212b; border-color: #313b48; }
  .sender, .foot, .facts th { color: #a4afbd; }
  .facts th, .facts td { border-color: #313b48; }
  .code { background: #11161d; }
  a { color: #7db8f5; }
  .button { background: #7db8f5; color: #0d1620; }
}
`.replaceAll('\n', ' ');
