import type { Message, MessageChannel } from '../../prisma/client/client.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { enqueueMessage, type MessageInput } from '../../src/message/enqueue-message.ts';
import { writeMail } from '../../src/message/mail.ts';
import { decryptContent, type MessageContent } from '../../src/message/message-content.ts';
import { createMessenger, type MessengerSettings } from '../../src/message/messenger.ts';
import { sendMessages } from '../../src/message/send-messages.ts';
import { createCounter } from './create-counter.ts';

const nextMessageNumber = createCounter();

/** Enqueues an email to a customer, and returns its ID. */
export async function seedMail(
  service: Service,
  options: Partial<Extract<MessageInput, { channel: 'email' }>> = {},
): Promise<string | null> {
  const content = writeMail({
    language: 'en',
    sender: 'Harbour Teas',
    subject: 'Your refund',
    blocks: ['We refund you.', { button: 'Say where', url: 'https://pay.example/pay/refund/secret' }],
  });
  return enqueue(service, { ...toBaseInput(), channel: 'email', to: 'ada@example.com', content, ...options });
}

const nextSmsNumber = createCounter();

export async function seedSms(
  service: Service,
  options: Partial<Extract<MessageInput, { channel: 'sms' }>> = {},
): Promise<string | null> {
  const content = { text: '123456 is your code' };
  return enqueue(service, {
    ...toBaseInput(),
    channel: 'sms',
    // Each SMS goes to a new number, because a number may receive only five messages an hour.
    to: `+852512${String(nextSmsNumber()).padStart(5, '0')}`,
    smsCountries: { additionalPhoneCountries: [] },
    content,
    ...options,
  });
}

export async function seedChatMessage(
  service: Service,
  chatUrl: string,
  options: Partial<Extract<MessageInput, { channel: 'chat' }>> = {},
): Promise<string | null> {
  const { host } = new URL(chatUrl);
  const content = { text: '1 payment received', chatUrl };
  return enqueue(service, {
    ...toBaseInput(),
    audience: 'staff',
    channel: 'chat',
    to: host,
    content,
    ...options,
  });
}

function toBaseInput() {
  return {
    merchantId: 'mer_1',
    mode: 'live',
    audience: 'customer',
    trigger: 'system',
    kind: 'invoice-due',
    language: 'en',
    dedupeKey: `test ${nextMessageNumber()}`,
    now: new Date(),
  } as const;
}

function enqueue(service: Service, input: MessageInput): Promise<string | null> {
  return transact(service, (uow) => enqueueMessage(uow, input));
}

export function readMessage(service: Service, id: string | null): Promise<Message> {
  return service.prisma.message.findUniqueOrThrow({ where: { id: id ?? '' } });
}

type SendRound = { errors: Error[] };

/** Sends due messages as a job run in a separate process does. */
export async function sendDueMessages(
  service: Service,
  channel: MessageChannel,
  settings: MessengerSettings,
  options: {
    clock?: Clock;
    timeoutMs?: number;
    responseTimeoutMs?: number;
    leaseMs?: number;
    responseWaitMs?: number;
  } = {},
): Promise<SendRound> {
  const { clock = systemClock, leaseMs, responseWaitMs, ...limits } = options;
  const messenger = createMessenger(settings, {
    secrets: service.secrets,
    ...limits,
  });
  const errors: Error[] = [];
  try {
    await sendMessages(service, {
      channel,
      messenger,
      clock,
      signal: new AbortController().signal,
      onError: (error) => errors.push(error),
      ...(leaseMs !== undefined && { leaseMs }),
      ...(responseWaitMs !== undefined && { responseWaitMs }),
    });
    await Promise.all(messenger.pendingResponses);
  } finally {
    messenger.close();
  }
  return { errors };
}

export function readContent(
  { secrets }: Pick<Service, 'secrets'>,
  message: Message,
): Promise<MessageContent> {
  return decryptContent(secrets, { id: message.id, contentEncrypted: message.contentEncrypted! });
}
