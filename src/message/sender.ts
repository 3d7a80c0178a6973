import type { MessageContent } from './message-content.ts';
import type { SendResult } from './message-state.ts';

export type OutgoingMessage = MessageContent & {
  id: string;
  recipient: string;
  subject: string | null;
  language: string;
};

/** Hands messages over to a server. */
export type MessageSender = {
  /**
   * A refusal is a result; it throws only for faults of our own. `onWhole` is called once the server may have the whole
   * message: from then on it may take it, so that its answer is waited for longer.
   */
  send(message: OutgoingMessage, onTransmitted?: () => void): Promise<SendResult>;
  /** How many more it can send now, without one waiting for another. */
  capacity(): number;
  /** Ends what is under way, too. */
  close(): void;
};
