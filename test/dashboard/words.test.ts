import { expect, test } from 'vitest';
import { eventText, languageText } from '../../src/dashboard/format/words.ts';
import { messages } from '../../src/event/catalogue.ts';
import { messageLanguages } from '../../src/message/language.ts';

test.each(Object.keys(messages))('what %s says is put into words', (message) => {
  expect(eventText(message)).not.toBe(message.replaceAll('_', ' '));
});

test.each(messageLanguages)('the language %s has a name', (code) => {
  expect(languageText(code)).not.toBe(code);
});
