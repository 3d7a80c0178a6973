import { expect, test } from 'vitest';
import { formatEvent, formatLanguage } from '../../src/dashboard/format/labels.ts';
import { eventTypes } from '../../src/event/catalogue.ts';
import { messageLanguages } from '../../src/message/language.ts';

test.each(Object.keys(eventTypes))('what %s says is put into words', (message) => {
  expect(formatEvent(message)).not.toBe(message.replaceAll('_', ' '));
});

test.each(messageLanguages)('the language %s has a name', (code) => {
  expect(formatLanguage(code)).not.toBe(code);
});
