import { checkText } from '../../kit/text.ts';

const notifyPayloadMax = 4_096;

/** Checks the text that the merchant's notifications carry. Error: `invalid_request`. */
export function parseNotifyPayload(text: string | null | undefined): string | null {
  return text == null ? null : checkText(text, '/notifyPayload', notifyPayloadMax);
}
