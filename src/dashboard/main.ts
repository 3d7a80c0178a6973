import { languages } from './language/languages.ts';
import { language, setTexts } from './language/texts.ts';

// Modules of the dashboard use its texts when they are evaluated, so the texts are loaded first.
languages[language]!.load()
  .then((texts) => {
    setTexts(texts);
    return import('./start.tsx');
  })
  .catch(showLoadError);

/** Shows a part of index.html, because neither texts nor components can be loaded. */
function showLoadError(error: unknown): void {
  console.error(error);
  const page = document.getElementById('load-error') as HTMLElement;
  page.hidden = false;
  page.querySelector('h1')!.focus();
  page.querySelector('button')!.addEventListener('click', () => window.location.reload());
}
