import type { MessageContent } from './message-content.ts';
import type { SendResult } from './message-state.ts';

export type OutgoingMessage = MessageContent & {
  id: string;
  recipient: string;
  subject: string | null;
  language: string;
};

export type MessageSender = {
  /**
   * Sends a message. A rejection is a result; it throws only for internal errors. `onTransmitted` is called
   * once the server may have the whole message. The server may accept it from then on, so its response is
   * awaited longer.
   */
  send(message: OutgoingMessage, onTransmitted?: () => void): Promise<SendResult>;
  /** The number of messages that can be sent now without queueing. */
  capacity(): number;
  /** Also aborts sends in progress. */
  close(): void;
};
