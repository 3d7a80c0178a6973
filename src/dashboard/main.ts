import { languages } from './language/languages.ts';
import { language, setTexts } from './language/texts.ts';

// Modules of the dashboard use its texts when they are evaluated, so the texts are loaded first.
void languages[language]!.load().then((texts) => {
  setTexts(texts);
  return import('./start.tsx');
});
