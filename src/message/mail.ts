import { type Brand, toLogo } from '../kit/brand.ts';
import { escapeHtml } from '../kit/escape-html.ts';
import { fillText } from '../language/fill-text.ts';
import { type Language, languages } from '../language/languages.ts';
import { mailLayout } from './mail-layout.ts';

/**
 * The template of an email: the subject and blocks in one language. `writeMail` renders both text and HTML, so that
 * they never differ and everything is escaped. The subject is stored unencrypted and shown in lists, so it must not
 * contain secrets, links or codes. Add each email to test/message/mails.test.ts.
 */
export type MailTemplate = {
  subject: string;
  blocks: MailBlock[];
  /** The merchant whose logo, color and contact a customer's email shows. */
  brand?: Brand;
  /** Small print at the end: why the reader receives the email, or what to do if it is not meant for them. */
  note?: string;
  /**
   * The page that turns these reminders off. `oneClickUrl` becomes the List-Unsubscribe header, whose URL email
   * clients call directly (RFC 8058).
   */
  unsubscribe?: { label: string; url: string; oneClickUrl?: string };
};

type MailBlock =
  /** A paragraph. */
  | string
  /** The main link of the email. */
  | { button: string; url: string }
  /** A secondary link. */
  | { link: string; url: string }
  /** Names and values, such as an amount and a due date. */
  | { facts: [name: string, value: string][] }
  /** A code to type or copy. */
  | { code: string };

/** An email as text and as HTML. */
export type MailContent = { subject: string; text: string; html: string; unsubscribeUrl?: string };

/** Renders an email. `sender` is the name of the merchant or of the service. */
export function writeMail(mail: MailTemplate & { language: Language; sender: string }): MailContent {
  const { subject, unsubscribe } = mail;
  for (const url of getLinks(mail)) requireWebAddress(url);
  return {
    subject,
    text: renderText(mail),
    html: renderHtml(mail),
    ...(unsubscribe?.oneClickUrl !== undefined && { unsubscribeUrl: unsubscribe.oneClickUrl }),
  };
}

/** Says why a user receives an email about a merchant. */
export function writeSettingsNote(merchant: string): string {
  return `You’re receiving this email because of your notification settings at ${merchant}. You can change them on the page Your account.`;
}

function getLinks({ blocks, unsubscribe }: MailTemplate): string[] {
  const urls = blocks.flatMap((block) => (typeof block === 'object' && 'url' in block ? block.url : []));
  const { url, oneClickUrl } = unsubscribe ?? {};
  return [...urls, url, oneClickUrl].filter((link) => link !== undefined);
}

function requireWebAddress(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error('an email can only link to http and https URLs');
}

function renderText(mail: MailTemplate & { language: Language; sender: string }): string {
  const { sender, blocks, note, unsubscribe, brand } = mail;
  const footer = [
    sender,
    brand?.supportEmail && `${getContactLabel(mail)}: ${brand.supportEmail}`,
    note,
    unsubscribe && `${unsubscribe.label}: ${unsubscribe.url}`,
  ];
  const parts = [...blocks.map(blockText), `-- \n${footer.filter((line) => line).join('\n')}`];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('button' in block) return `${block.button}:\n${block.url}`;
  if ('link' in block) return `${block.link}:\n${block.url}`;
  if ('code' in block) return `    ${block.code}`;
  return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function renderHtml(mail: MailTemplate & { language: Language; sender: string }): string {
  const { language, sender, subject, blocks, note, unsubscribe, brand } = mail;
  const footer = [
    ...(brand?.supportEmail
      ? [`<p>${renderLink(`mailto:${brand.supportEmail}`, getContactLabel(mail))}</p>`]
      : []),
    ...(note === undefined ? [] : [`<p>${escapeHtml(note)}</p>`]),
    ...(unsubscribe ? [`<p>${renderLink(unsubscribe.url, unsubscribe.label)}</p>`] : []),
  ];
  return mailLayout({
    language,
    title: escapeHtml(subject),
    sender: escapeHtml(sender),
    logo: brand && toLogo(brand.logo),
    color: brand?.brandColor ?? '',
    body: blocks.map(blockHtml).join('\n'),
    footer: footer.join('\n'),
  });
}

function getContactLabel({ language, sender }: { language: Language; sender: string }): string {
  return fillText(languages[language].page.contact, { merchant: sender });
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

/**
 * Formats a time in UTC for emails in all languages, such as `2026-11-20 09:30`. The label next to the time says
 * UTC.
 */
export function formatUtcMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}

/** The names of the modes, as the dashboard calls them. */
export const modeNames = { live: 'Live', sandbox: 'Sandbox' } as const;
