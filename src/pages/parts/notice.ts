import { type Html, type HtmlValue, html } from '../html.ts';

export function notice(content: {
  tone: 'success' | 'info' | 'error';
  title: HtmlValue;
  body: HtmlValue;
}): Html {
  return html`<article class="notice ${content.tone}">
${noticeIcon(content.tone)}
<h1 tabindex="-1">${content.title}</h1>
${content.body}
</article>`;
}

const iconPaths = {
  success: 'M14 25l8 8 13-17',
  info: 'M24 14v11l7 5',
  error: 'M24 14v13M24 33v.5',
};

function noticeIcon(tone: keyof typeof iconPaths): Html {
  return html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="${iconPaths[tone]}"/></svg>`;
}
