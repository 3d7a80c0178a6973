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

let made = 0;

/** A mail to a customer, committed, unless said otherwise. Answers its id. */
export async function makeMail(
  service: Service,
  options: Partial<Extract<MessageInput, { channel: 'email' }>> = {},
): Promise<string | null> {
  const content = writeMail({
    language: 'en',
    sender: 'Harbour Teas',
    subject: 'Your refund',
    blocks: ['We refund you.', { button: 'Say where', url: 'https://pay.example/pay/refund/secret' }],
  });
  return make(service, { ...base(), channel: 'email', to: 'ada@example.com', content, ...options });
}

let numbers = 0;

export async function makeSms(
  service: Service,
  options: Partial<Extract<MessageInput, { channel: 'sms' }>> = {},
): Promise<string | null> {
  const content = { text: '123456 is your code' };
  return make(service, {
    ...base(),
    channel: 'sms',
    // A number of its own, as one may receive only five an hour.
    to: `+852512${String(numbers++).padStart(5, '0')}`,
    smsCountries: { phoneCountries: [] },
    content,
    ...options,
  });
}

function base() {
  return {
    merchantId: 'mer_1',
    mode: 'live',
    audience: 'customer',
    trigger: 'system',
    kind: 'test',
    language: 'en',
    dedupeKey: `test ${++made}`,
    now: new Date(),
  } as const;
}

function make(service: Service, input: MessageInput): Promise<string | null> {
  return transact(service, (uow) => enqueueMessage(uow, input));
}

export function readMessage(service: Service, id: string | null): Promise<Message> {
  return service.prisma.message.findUniqueOrThrow({ where: { id: id ?? '' } });
}

type SendRound = { faults: Error[] };

/** What one run of the job and its process's end do, with connections of its own as another process has. */
export async function sendDue(
  service: Service,
  channel: MessageChannel,
  settings: MessengerSettings,
  options: {
    clock?: Clock;
    timeoutMs?: number;
    answerMs?: number;
    claimMs?: number;
    patienceMs?: number;
  } = {},
): Promise<SendRound> {
  const { clock = systemClock, claimMs, patienceMs: answerWaitMs, ...limits } = options;
  const messenger = createMessenger(settings, {
    secrets: service.secrets,
    ...limits,
  });
  const faults: Error[] = [];
  try {
    await sendMessages(service, {
      channel,
      messenger,
      clock,
      signal: new AbortController().signal,
      onError: (fault) => faults.push(fault),
      ...(claimMs !== undefined && { claimMs }),
      ...(answerWaitMs !== undefined && { answerWaitMs }),
    });
    await Promise.all(messenger.pendingAnswers);
  } finally {
    messenger.close();
  }
  return { faults };
}

/** The decrypted content of a message whose content is kept. */
export function readContent(
  { secrets }: Pick<Service, 'secrets'>,
  message: Message,
): Promise<MessageContent> {
  return decryptContent(secrets, { id: message.id, contentEncrypted: message.contentEncrypted! });
}
