import { createTransport, type PluginFunction } from 'nodemailer';
import { parseMailbox, parseSmtpUrl, type SmtpServer } from '../kit/smtp-url.ts';
import type { SendResult } from './message-state.ts';
import type { MessageSender, OutgoingMessage } from './sender.ts';

/** From the start of the connection to the end of the mail. */
const defaultTimeoutMs = 25_000;
/**
 * And from there to the server's answer, as long as RFC 5321 (4.5.3.2.6) says: a server that is asked for less has often
 * taken the mail, and gets it again.
 */
const defaultAnswerMs = 600_000;
/** Twice as many as are claimed at a time, so that some may wait for their answer. */
const connectionsMax = 10;
const mailsPerConnection = 100;
/** An idle connection is closed after that; the mails of one batch share it. */
const idleMs = 20_000;

type SmtpSenderOptions = { smtpUrl: string; mailFrom: string; timeoutMs?: number; answerMs?: number };

/**
 * Hands mail to the server of SMTP_URL. Its certificate is always verified where TLS is spoken. Every attempt of a
 * message carries the same Message-ID, so that a second copy, after a crash just when the server had taken the first,
 * can be told.
 */
export function createSmtpSender({
  smtpUrl,
  mailFrom,
  timeoutMs = defaultTimeoutMs,
  answerMs = defaultAnswerMs,
}: SmtpSenderOptions): MessageSender {
  const server = parseSmtpUrl(smtpUrl);
  const from = parseMailbox(mailFrom);
  if (!server || !from) throw new Error('SMTP_URL or MAIL_FROM is not valid');
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const transport = createTransport({
    ...transportOptions(server),
    pool: true,
    maxConnections: connectionsMax,
    maxMessages: mailsPerConnection,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    idleTimeout: idleMs,
    // Each mail has its own limits: this one would end the wait for an answer.
    socketTimeout: 2 * (timeoutMs + answerMs),
  });
  // A pooled connection that breaks while idle is told of here alone; the next mail opens another.
  transport.on('error', () => {});
  const transmittedHandlers = new Map<string, () => void>();
  transport.use('stream', notifyTransmitted(transmittedHandlers));
  let inFlight = 0;
  return {
    async send(message, onTransmitted) {
      const messageId = `<${message.id}@${domain}>`;
      const timeLimit = createTimeLimit(timeoutMs);
      transmittedHandlers.set(messageId, () => {
        timeLimit.extend(answerMs);
        onTransmitted?.();
      });
      inFlight++;
      try {
        await transport.sendMail({ ...toMail(message), from, messageId, signal: timeLimit.signal });
        return { isSent: true };
      } catch (error) {
        return toFailure(error as SmtpError);
      } finally {
        inFlight--;
        timeLimit.end();
        transmittedHandlers.delete(messageId);
      }
    },
    capacity: () => connectionsMax - inFlight,
    close: () => transport.close({ force: true }),
  };
}

/**
 * Calls the function of a mail's Message-ID when the last of the mail has been read, which comes before the dot that ends
 * it: a mail of which that is not told yet has not been taken.
 */
function notifyTransmitted(transmittedHandlers: ReadonlyMap<string, () => void>): PluginFunction {
  return ({ message }, done) => {
    const handler = transmittedHandlers.get(message.messageId());
    message.processFunc((stream) => (handler ? stream.once('end', handler) : stream));
    done();
  };
}

/** A signal that comes when the time is over. */
function createTimeLimit(ms: number): { signal: AbortSignal; extend(ms: number): void; end(): void } {
  const controller = new AbortController();
  const start = (time: number) => setTimeout(() => controller.abort(), time);
  let timer = start(ms);
  const end = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    extend(time) {
      end();
      timer = start(time);
    },
    end,
  };
}

function transportOptions({ host, port, tls, user, password }: SmtpServer) {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { rejectUnauthorized: true },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
  };
}

/** Addresses are given as objects: a text would be read as a list. */
function toMail({ recipient, subject, text, html, unsubscribeUrl, language }: OutgoingMessage) {
  return {
    to: { name: '', address: recipient },
    subject: subject ?? '',
    text,
    ...(html !== undefined && { html }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
      ...(unsubscribeUrl !== undefined && listHeaders(new URL(unsubscribeUrl))),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** One click (RFC 8058) needs https. */
function listHeaders({ href, protocol }: URL): Record<string, string> {
  const oneClick = protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return { 'List-Unsubscribe': `<${href}>`, ...oneClick };
}

type SmtpError = Error & {
  code?: string;
  /** Of Node, where `code` is the client's. */
  originalCode?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
};

/**
 * A 5xx to the recipient or the content is the end of this mail (RFC 5321, 4.2.1). To anything before, such as the
 * password or the sender, it says that the set-up is wrong: the mail waits until that has been mended.
 */
function toFailure(error: SmtpError): SendResult {
  const { command = '', responseCode, permanent } = error;
  const concernsMail = /^(?:RCPT|DATA)/.test(command);
  return {
    isSent: false,
    error: describeError(error),
    isPermanent: permanent === true && concernsMail && responseCode !== undefined,
    retryAfterMs: null,
  };
}

/** In words for those who look at the queue. The server's own words may repeat an address or more: its code must do. */
function describeError({ code = 'unknown', originalCode = code, command, responseCode }: SmtpError): string {
  if (responseCode !== undefined) return `the mail server answered ${responseCode} to ${command ?? 'us'}`;
  if (/CERT|SIGNATURE|ISSUER/.test(originalCode)) {
    return `the certificate of the mail server is not trusted (${originalCode})`;
  }
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'the mail server timed out';
  if (code === 'EDNS') return 'the host name of the mail server does not resolve';
  if (code === 'ETLS') return `the mail server does not support TLS (${originalCode})`;
  if (code === 'EAUTH') return 'the mail server rejected the credentials';
  return `the mail server cannot be reached (${originalCode})`;
}
