import type { SendResult } from './message-state.ts';
import type { MessageContent } from './sealed-content.ts';

export type OutgoingMessage = MessageContent & {
  id: string;
  recipient: string;
  subject: string | null;
  language: string;
};

/** Hands messages over to a server. A refusal of that is a result; it throws only for faults of our own. */
export type Sender = { send(message: OutgoingMessage): Promise<SendResult>; close(): void };
