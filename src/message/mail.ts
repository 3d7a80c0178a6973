import { escapeHtml } from '../kit/escape-html.ts';
import type { MessageLanguage } from './language.ts';
import { mailLayout } from './mail-layout.ts';

/**
 * Writing a mail: one file in `mails/`, named like its function. It says its words once for each language, as subject
 * and blocks, and `writeMail` makes both forms of them, so that text and HTML never differ and nothing is forgotten to
 * be escaped:
 *
 *   type Facts = { merchant: string; amount: string; url: string };
 *
 *   const words: Record<MessageLanguage, (facts: Facts) => MailWords> = {
 *     en: ({ merchant, amount, url }) => ({
 *       subject: `Your refund from ${merchant}`,
 *       blocks: [`${merchant} refunds you ${amount}. Tell us where to send it.`, { button: 'Enter your bank details', url }],
 *     }),
 *     zh: …, th: …,
 *   };
 *
 *   export function refundLinkMail(language: MessageLanguage, facts: Facts): MailContent {
 *     return writeMail({ language, sender: facts.merchant, ...words[language](facts) });
 *   }
 *
 * Then, in the transaction of the change: `enqueueMessage(uow, { channel: 'email', kind: 'refund-link',
 * content: refundLinkMail(language, facts), dedupeKey: `refund-link ${refund.id} ${refund.pageGeneration}`, … })`.
 *
 * The subject is stored readable and shown in lists: no secret, no link and no code in it. A mail is looked at with
 * `renderMail` in test/message/mails.test.ts: add it there.
 */
export type MailTemplate = {
  subject: string;
  blocks: MailBlock[];
  /** Small, at the end: why the reader gets this, or what to do when it was not for them. */
  note?: string;
  /**
   * Where reminders of this kind are switched off; `oneClickUrl`, where a program may do so by itself (RFC 8058), becomes
   * the header List-Unsubscribe.
   */
  unsubscribe?: { label: string; url: string; oneClickUrl?: string };
};

type MailBlock =
  /** A paragraph. */
  | string
  /** A link that is the point of the mail. */
  | { button: string; url: string }
  /** A link beside it. */
  | { link: string; url: string }
  /** Names and values, such as an amount and a due date. */
  | { facts: [name: string, value: string][] }
  /** Something to be typed or copied. */
  | { code: string };

/** A mail in both its forms. */
export type MailContent = { subject: string; text: string; html: string; unsubscribeUrl?: string };

/** `sender`: in whose name it is sent: the merchant's, or the service's own. */
export function writeMail(mail: MailTemplate & { language: MessageLanguage; sender: string }): MailContent {
  const { subject, unsubscribe } = mail;
  for (const url of getLinks(mail)) requireWebAddress(url);
  return {
    subject,
    text: renderText(mail),
    html: renderHtml(mail),
    ...(unsubscribe?.oneClickUrl !== undefined && { unsubscribeUrl: unsubscribe.oneClickUrl }),
  };
}

function getLinks({ blocks, unsubscribe }: MailTemplate): string[] {
  const urls = blocks.flatMap((block) => (typeof block === 'object' && 'url' in block ? block.url : []));
  const { url, oneClickUrl } = unsubscribe ?? {};
  return [...urls, url, oneClickUrl].filter((one) => one !== undefined);
}

function requireWebAddress(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error('an email can only link to http and https URLs');
}

function renderText({ sender, blocks, note, unsubscribe }: MailTemplate & { sender: string }): string {
  const footer = [sender, note, unsubscribe && `${unsubscribe.label}: ${unsubscribe.url}`];
  const parts = [...blocks.map(blockText), `-- \n${footer.filter((line) => line !== undefined).join('\n')}`];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('button' in block) return `${block.button}:\n${block.url}`;
  if ('link' in block) return `${block.link}:\n${block.url}`;
  if ('code' in block) return `    ${block.code}`;
  return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function renderHtml(mail: MailTemplate & { language: MessageLanguage; sender: string }): string {
  const { language, sender, subject, blocks, note, unsubscribe } = mail;
  const footer = [
    ...(note === undefined ? [] : [`<p>${escapeHtml(note)}</p>`]),
    ...(unsubscribe ? [`<p>${renderLink(unsubscribe.url, unsubscribe.label)}</p>`] : []),
  ];
  return mailLayout({
    language,
    title: escapeHtml(subject),
    sender: escapeHtml(sender),
    body: blocks.map(blockHtml).join('\n'),
    footer: footer.join('\n'),
  });
}

function blockHtml(block: MailBlock): string {
  if (typeof block === 'string') return `<p>${escapeHtml(block).replaceAll('\n', '<br>')}</p>`;
  if ('button' in block) return `<p class="action">${renderLink(block.url, block.button, 'button')}</p>`;
  if ('link' in block) return `<p>${renderLink(block.url, block.link)}</p>`;
  if ('code' in block) return `<p class="code">${escapeHtml(block.code)}</p>`;
  const rows = block.facts.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table class="facts">${rows.join('')}</table>`;
}

function renderLink(url: string, label: string, className?: string): string {
  return `<a href="${escapeHtml(url)}"${className ? ` class="${className}"` : ''}>${escapeHtml(label)}</a>`;
}
