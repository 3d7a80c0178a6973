import { checkText } from '../../kit/text.ts';

const notifyPayloadLengthMax = 4_096;

/** Checks the merchant's own text, which is included in the notifications. Error: `invalid_request`. */
export function parseNotifyPayload(text: string | null | undefined): string | null {
  return text == null ? null : checkText(text, '/notifyPayload', notifyPayloadLengthMax);
}
