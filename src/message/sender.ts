import type { MessageContent } from './message-content.ts';
import type { SendResult } from './message-state.ts';

export type OutgoingMessage = MessageContent & {
  id: string;
  recipient: string;
  subject: string | null;
  language: string;
  /** The PNG file of the merchant's logo, if the email shows it. */
  logo?: Buffer | undefined;
};

export type MessageSender = {
  /**
   * Sends a message. A rejection by the server is a result; only internal errors are thrown. `onTransmitted` is
   * called once the server may have received the whole message. From then on, the server may have accepted the
   * message, so the response is awaited longer, while other messages are sent. Chats call it at the start of the
   * attempt.
   */
  send(message: OutgoingMessage, onTransmitted?: () => void): Promise<SendResult>;
  /** The number of messages that can be sent now without queueing. */
  capacity(): number;
  /** Closes the connections, and aborts sends in progress. */
  close(): void;
};
