import { createTransport, type PluginFunction } from 'nodemailer';
import { parseMailbox, parseSmtpUrl, type SmtpServer } from '../kit/smtp-url.ts';
import { logoContentId } from './mail-layout.ts';
import type { SendResult } from './message-state.ts';
import type { MessageSender, OutgoingMessage } from './sender.ts';

/** The time limit from the start of the connection to the end of the email's data. */
const defaultTimeoutMs = 25_000;
/**
 * The time limit from the end of the data to the server's final response: the minimum of RFC 5321 (4.5.3.2.6).
 * With a shorter limit, an email would often be sent again although the server had already accepted it.
 */
const defaultResponseTimeoutMs = 600_000;
/** Twice the batch size of `sendMessages`, so that some connections can wait for a response. */
const connectionsMax = 10;
const mailsPerConnection = 100;
/** Idle connections are closed after this time. Until then, later emails reuse them. */
const idleMs = 20_000;

type SmtpSenderOptions = {
  smtpUrl: string;
  mailFrom: string;
  timeoutMs?: number;
  responseTimeoutMs?: number;
};

/**
 * Creates a sender for the server at SMTP_URL. With TLS, the certificate is always verified. All attempts of
 * a message carry the same Message-ID, so that recipients can detect a second copy. A second copy is sent if
 * the process crashes just after the server has accepted the email.
 */
export function createSmtpSender({
  smtpUrl,
  mailFrom,
  timeoutMs = defaultTimeoutMs,
  responseTimeoutMs = defaultResponseTimeoutMs,
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
    // Each email has its own time limits; a shorter socket timeout would end the wait for a response.
    socketTimeout: 2 * (timeoutMs + responseTimeoutMs),
  });
  // Errors of idle pooled connections are only emitted here; the next email opens a new connection.
  transport.on('error', () => {});
  const transmittedHandlers = new Map<string, () => void>();
  transport.use('stream', notifyTransmitted(transmittedHandlers));
  let inFlight = 0;
  return {
    async send(message, onTransmitted) {
      const messageId = `<${message.id}@${domain}>`;
      const timeLimit = createTimeLimit(timeoutMs);
      transmittedHandlers.set(messageId, () => {
        timeLimit.extend(responseTimeoutMs);
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
 * Creates a plugin that calls the handler of an email, found by Message-ID, when the end of the email has been
 * read. This happens before the final dot is sent, so no server can have accepted an email without this call.
 */
function notifyTransmitted(transmittedHandlers: ReadonlyMap<string, () => void>): PluginFunction {
  return ({ message }, done) => {
    const handler = transmittedHandlers.get(message.messageId());
    message.processFunc((stream) => (handler ? stream.once('end', handler) : stream));
    done();
  };
}

/** Creates a signal that aborts after `ms`, or after the time that the last call of `extend` sets. */
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

/** Addresses are passed as objects, because strings would be parsed as lists. */
function toMail({ recipient, subject, text, html, unsubscribeUrl, language, logo }: OutgoingMessage) {
  return {
    to: { name: '', address: recipient },
    subject: subject ?? '',
    text,
    ...(html !== undefined && { html }),
    ...(logo && {
      attachments: [
        { cid: logoContentId, filename: 'logo.png', contentType: 'image/png', content: logo } as const,
      ],
    }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
      ...(unsubscribeUrl !== undefined && listHeaders(new URL(unsubscribeUrl))),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Returns the List-Unsubscribe headers. One-click unsubscribe (RFC 8058) requires https. */
function listHeaders({ href, protocol }: URL): Record<string, string> {
  const oneClick = protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return { 'List-Unsubscribe': `<${href}>`, ...oneClick };
}

type SmtpError = Error & {
  code?: string;
  /** The error code of Node.js; `code` is the error code of the SMTP client. */
  originalCode?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
};

/**
 * A 5xx response to RCPT or DATA is permanent for this email (RFC 5321, 4.2.1). A 5xx response to an earlier
 * command, such as the login, means a configuration error: the email stays pending until the error is fixed.
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

/** Describes the error for operators. The server's own text is omitted because it may contain an address. */
function describeError({ code = 'unknown', originalCode = code, command, responseCode }: SmtpError): string {
  if (responseCode !== undefined)
    return `the mail server responded with ${responseCode} ${command === undefined ? 'when connecting' : `to ${command}`}`;
  if (/CERT|SIGNATURE|ISSUER/.test(originalCode)) {
    return `the certificate of the mail server is not trusted (${originalCode})`;
  }
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'the mail server timed out';
  if (code === 'EDNS') return 'the host name of the mail server does not resolve';
  if (code === 'ETLS') return `the mail server does not support TLS (${originalCode})`;
  if (code === 'EAUTH') return 'the mail server rejected the credentials';
  return `the mail server cannot be reached (${originalCode})`;
}
